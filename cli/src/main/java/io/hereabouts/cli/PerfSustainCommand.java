package io.hereabouts.cli;

import io.hereabouts.perf.kafka.SustainBenchmark;
import io.hereabouts.perf.kafka.SustainParameters;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf sustain}: a router with a large index. */
@Command(
        name = "sustain",
        mixinStandardHelpOptions = true,
        description = {
            "Measures a router with a large index: its start, and whether it holds a rate.",
            "Against a bare consumer that reads the same filters, on a Kafka of its own; needs 6 GB of heap for the defaults."
        })
final class PerfSustainCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Option(
            names = "--neighborhoods",
            paramLabel = "N",
            defaultValue = "100000",
            description = "that an edge is interested in; default ${DEFAULT-VALUE}")
    private int neighborhoods;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "100",
            description = "entities of each; default ${DEFAULT-VALUE}")
    private int size;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "that they are drawn from; default ${DEFAULT-VALUE}")
    private int entities;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "150000",
            description = "publications a second; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "300",
            description = "that the rate is held; default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--loads",
            paramLabel = "N",
            defaultValue = "3",
            description = "starts of a router and of a bare consumer; default ${DEFAULT-VALUE}")
    private int loads;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "12",
            description = "of publications and filters; default ${DEFAULT-VALUE}")
    private int partitions;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "128",
            description = "of a publication; default ${DEFAULT-VALUE}")
    private int payload;

    @Override
    public Integer call() throws Exception {
        SustainParameters parameters = PerfOutput.checked(() -> new SustainParameters(
                output.seed, neighborhoods, size, entities, rate, seconds, loads, partitions, payload));
        return PerfCommand.report(() -> SustainBenchmark.run(parameters, output.progress()), output);
    }
}
