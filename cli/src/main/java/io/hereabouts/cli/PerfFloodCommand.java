package io.hereabouts.cli;

import io.hereabouts.perf.mqtt.FloodBenchmark;
import io.hereabouts.perf.mqtt.FloodParameters;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf flood}: what some clients do to the latency of the others. */
@Command(
        name = "flood",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the latency of clients while others of the same edge disturb them.",
            "By a publisher at full speed, by a subscriber that acknowledges nothing, by a crowd of subscribers; against the"
                    + " same clients undisturbed."
        })
final class PerfFloodCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfStackOptions stack;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "messages a second to those who are measured; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "of each round; default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "at full speed before anything is measured; default ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "of each, quiet and disturbed; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            defaultValue = "5",
            description = "that are measured; default ${DEFAULT-VALUE}")
    private int subscribers;

    @Option(
            names = "--crowd",
            paramLabel = "N",
            defaultValue = "10000",
            description = "subscribers of one neighborhood that gets a message each second; default ${DEFAULT-VALUE}")
    private int crowd;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "200",
            description = "unacknowledged messages of the publisher at full speed; default ${DEFAULT-VALUE}")
    private int window;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "of its messages, at least 24; default ${DEFAULT-VALUE}")
    private int payload;

    @Override
    public Integer call() throws Exception {
        FloodParameters parameters = PerfOutput.checked(() ->
                new FloodParameters(output.seed, rate, seconds, warmUp, rounds, subscribers, crowd, window, payload));
        var choice = stack.choice("");
        return PerfCommand.report(() -> FloodBenchmark.run(parameters, choice, output.progress()), output);
    }
}
