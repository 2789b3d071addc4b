package io.hereabouts.cli;

import io.hereabouts.perf.postgis.PostgisServer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which server a measurement makes a database of its own. */
final class PerfPostgisOptions {

    @Option(
            names = "--postgis",
            paramLabel = "JDBC-URL",
            description = {
                "a server with PostGIS on which the user may make databases, with user and password as parameters;",
                "one is made for the run and dropped; default: a server is started, if PostGIS is installed"
            })
    private @Nullable String postgis;

    PostgisServer choice() throws InputException {
        return PerfOutput.checked(() -> PostgisServer.of(postgis));
    }
}
