package io.hereabouts.cli;

import io.hereabouts.perf.postgis.MappingBenchmark;
import io.hereabouts.perf.postgis.MappingParameters;
import io.hereabouts.perf.postgis.PostgisServer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf mapping}: the neighborhoods of a publication in memory and in a database. */
@Command(
        name = "mapping",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the time to find the neighborhoods of a publication.",
            "In a router's index and, which the product never does, in a table of a database."
        })
final class PerfMappingCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions server;

    @Option(
            names = "--entities",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,10,100,1000,10000",
            description = "of each of 100 neighborhoods, with fan-out 0, 1 and 10; default ${DEFAULT-VALUE}")
    private List<Integer> entities = List.of();

    @Option(
            names = "--neighborhoods",
            paramLabel = "N",
            split = ",",
            defaultValue = "10,100,1000,10000",
            description = "of 100 entities, with fan-out 1; default ${DEFAULT-VALUE}")
    private List<Integer> neighborhoods = List.of();

    @Option(
            names = "--lookups",
            paramLabel = "N",
            defaultValue = "5000",
            description = "of each mode in a round; default ${DEFAULT-VALUE}")
    private int lookups;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "default ${DEFAULT-VALUE}")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        MappingParameters parameters =
                PerfOutput.checked(() -> new MappingParameters(output.seed, lookups, rounds, entities, neighborhoods));
        PostgisServer postgis = server.choice();
        return PerfCommand.report(() -> MappingBenchmark.run(parameters, postgis, output.progress()), output);
    }
}
