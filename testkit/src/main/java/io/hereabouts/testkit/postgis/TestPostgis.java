package io.hereabouts.testkit.postgis;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real PostGIS server for tests: the one that {@code HEREABOUTS_TEST_POSTGIS_URL} (environment) or
 * {@code hereabouts.test.postgis.url} (system property) names, else a private cluster in a temporary folder, started
 * once a JVM. If neither can be had, it throws and says what to do; it never lets a test be skipped. Thread-safe.
 */
public final class TestPostgis {

    private static final String URL_VARIABLE = "HEREABOUTS_TEST_POSTGIS_URL";
    private static final String URL_PROPERTY = "hereabouts.test.postgis.url";

    private static @Nullable TestPostgis shared;

    private final Psql psql;
    private final AtomicInteger databases = new AtomicInteger();
    private final String prefix = "hereabouts_test_" + ProcessHandle.current().pid() + "_";

    private boolean templateMade;

    private TestPostgis(Psql psql) {
        this.psql = psql;
    }

    /** The server that all tests of this JVM share. */
    public static synchronized TestPostgis shared() {
        if (shared == null) {
            String url = System.getProperty(URL_PROPERTY, System.getenv().getOrDefault(URL_VARIABLE, ""));
            try {
                shared = new TestPostgis(url.isEmpty() ? PrivateCluster.start().psql() : Psql.ofUrl(url));
            } catch (PostgisMissingException e) {
                throw new IllegalStateException(
                        "These tests need PostGIS and there is none: " + e.getMessage()
                                + ". Install it (Debian: apt-get"
                                + " install postgresql-15-postgis-3) or set " + URL_VARIABLE + " to the JDBC URL of a"
                                + " server on which the user may create databases with the extension postgis, such as"
                                + " jdbc:postgresql://localhost:5432/postgres?user=me&password=secret",
                        e);
            }
        }
        return shared;
    }

    /** A new empty database with the extension {@code postgis}; it is dropped with the JVM's end. */
    public Database newDatabase() {
        String name = prefix + databases.incrementAndGet();
        psql.run("postgres", "CREATE DATABASE " + name + " TEMPLATE " + template());
        dropAtEnd(name);
        return new Database(name);
    }

    /** Making the extension takes a second, copying it a tenth. */
    private synchronized String template() {
        String name = prefix + "template";
        if (!templateMade) {
            psql.run("postgres", "CREATE DATABASE " + name);
            psql.run(name, "CREATE EXTENSION postgis");
            dropAtEnd(name);
            templateMade = true;
        }
        return name;
    }

    private void dropAtEnd(String name) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> psql.tryRun("postgres", "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")));
    }

    /** One database of the server. */
    public final class Database {

        private final String name;

        private Database(String name) {
            this.name = name;
        }

        /** JDBC URL without user and password. */
        public String url() {
            return "jdbc:postgresql://" + psql.host() + ":" + psql.port() + "/" + name;
        }

        public String name() {
            return name;
        }

        public String host() {
            return psql.host();
        }

        public int port() {
            return psql.port();
        }

        public String user() {
            return psql.user();
        }

        public String password() {
            return psql.password();
        }

        /** Runs SQL with {@code psql}; what it prints, unaligned and without headers, one row a line. */
        public String sql(String statement) {
            return psql.run(name, statement);
        }

        /** Ends all other connections to the database, as an administrator would. */
        public void terminateConnections() {
            psql.run(
                    "postgres",
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
        }
    }
}
