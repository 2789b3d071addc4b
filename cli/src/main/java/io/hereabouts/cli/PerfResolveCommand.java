package io.hereabouts.cli;

import io.hereabouts.perf.postgis.PostgisServer;
import io.hereabouts.perf.postgis.ResolveBenchmark;
import io.hereabouts.perf.postgis.ResolveParameters;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf resolve}: neighborhoods in memory, in PostGIS, and by SQL. */
@Command(
        name = "resolve",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the time to resolve a neighborhood, in memory and in PostGIS.",
            "The baseline is SQL written for each case, on the same tables; all answers must be equal."
        })
final class PerfResolveCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions server;

    @Option(
            names = "--entities",
            paramLabel = "N",
            split = ",",
            defaultValue = "10000,100000",
            description = "sizes of the world; default ${DEFAULT-VALUE}")
    private List<Integer> entities = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "40",
            description = "of each case in a round, a quarter where the scope is large; default ${DEFAULT-VALUE}")
    private int queries;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "with the data of Berlin, of which the world then is copies; default: made-up cities")
    private @Nullable Path data;

    @Override
    public Integer call() throws Exception {
        ResolveParameters parameters =
                PerfOutput.checked(() -> new ResolveParameters(output.seed, entities, rounds, queries, data));
        PostgisServer postgis = server.choice();
        return PerfCommand.report(() -> ResolveBenchmark.run(parameters, postgis, output.progress()), output);
    }
}
