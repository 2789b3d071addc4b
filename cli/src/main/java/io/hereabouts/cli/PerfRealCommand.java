package io.hereabouts.cli;

import io.hereabouts.perf.postgis.PostgisServer;
import io.hereabouts.perf.postgis.RealBenchmark;
import io.hereabouts.perf.postgis.RealParameters;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf real}: filter time over time in Berlin. */
@Command(
        name = "real",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the filter time over time, from the start, with detectors and roads of Berlin.",
            "In a router's index and in a table of a database."
        })
final class PerfRealCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions server;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            required = true,
            defaultValue = "${sys:hereabouts.data}",
            description = "with the data of Berlin; default: what the system property hereabouts.data names")
    private Path data = Path.of("");

    @Option(
            names = "--neighborhoods",
            paramLabel = "N",
            defaultValue = "1000",
            description = "of one stage; default ${DEFAULT-VALUE}")
    private int neighborhoods;

    @Option(
            names = "--publishers",
            paramLabel = "N",
            defaultValue = "592",
            description = "that are in a neighborhood; default ${DEFAULT-VALUE}")
    private int publishers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50000",
            description = "publications a second; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "30",
            description = "of each mode; default ${DEFAULT-VALUE}")
    private int seconds;

    @Override
    public Integer call() throws Exception {
        RealParameters parameters = PerfOutput.checked(
                () -> new RealParameters(output.seed, data, neighborhoods, publishers, rate, seconds));
        PostgisServer postgis = server.choice();
        return PerfCommand.report(() -> RealBenchmark.run(parameters, postgis, output.progress()), output);
    }
}
