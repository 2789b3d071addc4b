package io.hereabouts.cli;

import io.hereabouts.perf.mqtt.ChangeBenchmark;
import io.hereabouts.perf.mqtt.ChangeParameters;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf change}: a change of the world while many neighborhoods are subscribed. */
@Command(
        name = "change",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what a change of the world costs while many neighborhoods are subscribed.",
            "How many are resolved again, and the time from the commit to the first delivery by the new set."
        })
final class PerfChangeCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "100000",
            description = "of the world; default ${DEFAULT-VALUE}")
    private int entities;

    @Option(
            names = "--neighborhoods",
            paramLabel = "N",
            defaultValue = "10000",
            description = "that are subscribed; default ${DEFAULT-VALUE}")
    private int neighborhoods;

    @Option(
            names = "--changes",
            paramLabel = "N",
            defaultValue = "50",
            description = "of the world in a round; default ${DEFAULT-VALUE}")
    private int changes;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "default ${DEFAULT-VALUE}")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        ChangeParameters parameters =
                PerfOutput.checked(() -> new ChangeParameters(output.seed, entities, neighborhoods, changes, rounds));
        return PerfCommand.report(() -> ChangeBenchmark.run(parameters, output.progress()), output);
    }
}
