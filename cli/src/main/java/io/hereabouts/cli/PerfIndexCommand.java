package io.hereabouts.cli;

import io.hereabouts.perf.index.IndexBenchmark;
import io.hereabouts.perf.index.IndexParameters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf index}: what a router's filter index weighs and how long a lookup takes. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the filter index of a router's partition: heap of a pair, time of a lookup.",
            "Against a HashMap and Kafka Streams' in-memory and RocksDB stores with the same pairs, by JMH."
        })
final class PerfIndexCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "10000000",
            description = "of neighborhood and entity; default ${DEFAULT-VALUE}")
    private long pairs;

    @Option(
            names = "--fan-outs",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,10,100",
            description = "mean neighborhoods of an entity, with neighborhoods of 1000; default ${DEFAULT-VALUE}")
    private List<Integer> fanOuts = List.of();

    @Option(
            names = "--filter-sizes",
            paramLabel = "N",
            split = ",",
            defaultValue = "100,10000,100000",
            description = "mean entities of a neighborhood, with a fan-out of 10; default ${DEFAULT-VALUE}")
    private List<Integer> filterSizes = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "of a second, after as many that are not counted; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            defaultValue = "6144",
            description = "of the JVM that each contender has to itself; default ${DEFAULT-VALUE}")
    private int heap;

    @Override
    public Integer call() throws Exception {
        IndexParameters parameters =
                PerfOutput.checked(() -> new IndexParameters(output.seed, pairs, fanOuts, filterSizes, rounds, heap));
        return PerfCommand.report(() -> IndexBenchmark.run(parameters, output.progress()), output);
    }
}
