package io.hereabouts.cli;

import io.hereabouts.perf.kafka.ScaleBenchmark;
import io.hereabouts.perf.kafka.ScaleParameters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf scale}: how the router grows. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the router with more partitions, edges, neighborhoods and routers.",
            "Each step against the first one, on a Kafka of its own."
        })
final class PerfScaleCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4,16,64",
            description = "of publications and filters, with one router; default ${DEFAULT-VALUE}")
    private List<Integer> partitions = List.of();

    @Option(
            names = "--edges",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,4,8",
            description = "that each publication goes to; default ${DEFAULT-VALUE}")
    private List<Integer> edges = List.of();

    @Option(
            names = "--neighborhoods",
            paramLabel = "N",
            split = ",",
            defaultValue = "100,1000,10000,100000",
            description = "that the entities are dealt to; default ${DEFAULT-VALUE}")
    private List<Integer> neighborhoods = List.of();

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "3",
            description = "most routers that share the work; default ${DEFAULT-VALUE}")
    private int instances;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "500000",
            description = "publications of a round; default ${DEFAULT-VALUE}")
    private int records;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "rounds of each step; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "200000",
            description = "that publish; default ${DEFAULT-VALUE}")
    private int entities;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "128",
            description = "of a publication; default ${DEFAULT-VALUE}")
    private int payload;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20000",
            description = "publications a second while routers come; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "over which the shares of the routers are taken; default ${DEFAULT-VALUE}")
    private int seconds;

    @Override
    public Integer call() throws Exception {
        ScaleParameters parameters = PerfOutput.checked(() -> new ScaleParameters(
                output.seed,
                partitions,
                edges,
                neighborhoods,
                instances,
                records,
                rounds,
                entities,
                payload,
                rate,
                seconds));
        return PerfCommand.report(() -> ScaleBenchmark.run(parameters, output.progress()), output);
    }
}
