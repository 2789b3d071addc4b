package io.hereabouts.testkit.postgis;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs SQL on a server through the command {@code psql}. Thread-safe.
 *
 * @param command path of {@code psql}
 */
record Psql(String command, String host, int port, String user, String password) {

    private static final int DEFAULT_PORT = 5432;

    /** From a JDBC URL with user and password as parameters. */
    static Psql ofUrl(String url) throws PostgisMissingException {
        if (!url.startsWith("jdbc:postgresql://")) {
            throw new PostgisMissingException("'" + url + "' is not a JDBC URL of PostgreSQL");
        }
        URI uri = URI.create(url.substring("jdbc:".length()));
        Map<String, String> parameters = new HashMap<>();
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        Psql psql = new Psql(
                "psql",
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                parameters.getOrDefault("user", "postgres"),
                parameters.getOrDefault("password", ""));
        Command.Result result = psql.execute("postgres", "SELECT 1");
        if (result.exitCode() != 0) {
            throw new PostgisMissingException(
                    "cannot use " + uri.getHost() + ":" + psql.port + " (" + result.output() + ")");
        }
        return psql;
    }

    /** What the statement prints. */
    String run(String database, String sql) {
        Command.Result result = execute(database, sql);
        if (result.exitCode() != 0) {
            throw new IllegalStateException("psql failed: " + result.output() + "\n" + sql);
        }
        return result.output();
    }

    /** Runs it and does not mind if that fails. */
    void tryRun(String database, String sql) {
        execute(database, sql);
    }

    private Command.Result execute(String database, String sql) {
        return Command.run(
                List.of(
                        command,
                        "--no-psqlrc",
                        "--tuples-only",
                        "--no-align",
                        "--quiet",
                        "--set=ON_ERROR_STOP=1",
                        "--host=" + host,
                        "--port=" + port,
                        "--username=" + user,
                        "--dbname=" + database,
                        "--command=" + sql),
                Map.of("PGPASSWORD", password, "PGCONNECT_TIMEOUT", "10"));
    }
}
