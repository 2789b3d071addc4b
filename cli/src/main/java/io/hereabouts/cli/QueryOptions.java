package io.hereabouts.cli;

import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.postgis.PostgisConnection;
import io.hereabouts.resolver.postgis.PostgisQuery;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A query that gives entities, and the database to ask; not the one that a world is in, though it may be the same. */
final class QueryOptions {

    @Option(
            names = "--sql",
            paramLabel = "SELECT",
            description = "read the rows of a query: columns id, geom, category and whatever the rules ask for")
    private @Nullable String sql;

    @Option(
            names = "--from-url",
            paramLabel = "URL",
            description = "of the PostGIS database to ask, jdbc:postgresql://host:port/database")
    private @Nullable String url;

    @Option(
            names = "--from-user",
            paramLabel = "NAME",
            defaultValue = "${env:PGUSER:-}",
            description = "default: the environment's PGUSER")
    private String user = "";

    @Option(
            names = "--from-password",
            paramLabel = "TEXT",
            defaultValue = "${env:PGPASSWORD:-}",
            description = "default: the environment's PGPASSWORD, which other users of the machine cannot see")
    private String password = "";

    @Option(
            names = "--geometry",
            paramLabel = "COLUMN",
            defaultValue = "geom",
            description = "column with the geometry, in any SRID that PostGIS knows; default ${DEFAULT-VALUE}")
    private String geometry = "geom";

    /** True if a query is what is to be read. */
    boolean isGiven() {
        return sql != null || url != null;
    }

    /** @throws IllegalArgumentException naming the option that is wrong */
    WorldFile query(ImportRules rules) {
        if (sql == null || url == null) {
            throw new IllegalArgumentException("--sql and --from-url belong together");
        }
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "--from-url is '" + url + "', expected jdbc:postgresql://host:port/database");
        }
        try {
            return new PostgisQuery(PostgisConnection.of(url, user, password), sql, geometry, rules);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--sql: " + e.getMessage(), e);
        }
    }
}
