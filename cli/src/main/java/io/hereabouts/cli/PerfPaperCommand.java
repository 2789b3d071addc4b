package io.hereabouts.cli;

import io.hereabouts.perf.postgis.PaperBenchmark;
import io.hereabouts.perf.postgis.PaperExperiment;
import io.hereabouts.perf.postgis.PaperParameters;
import io.hereabouts.perf.postgis.PostgisServer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perf paper}: the experiments of the paper that Hereabouts follows. */
@Command(
        name = "paper",
        mixinStandardHelpOptions = true,
        description = {
            "Repeats the experiments of the paper, in memory and in a database.",
            "Exit code 1 if a mode grows otherwise than it must, or memory is not the faster one everywhere."
        })
final class PerfPaperCommand implements Callable<Integer> {

    private static final String ALL = "all";

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions server;

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..*",
            defaultValue = ALL,
            description = "rate, subscriptions, size, add-size, add-count, stages, scope; default ${DEFAULT-VALUE}")
    private List<String> experiments = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--millis",
            paramLabel = "N",
            defaultValue = "500",
            description = "of each mode in a round; default ${DEFAULT-VALUE}")
    private int millis;

    @Option(
            names = "--most",
            paramLabel = "N",
            defaultValue = "1000000",
            description = {
                "subscriptions, filters or entities of a filter, where that varies;",
                "a million needs HEREABOUTS_JAVA_OPTS=-Xmx4g; default ${DEFAULT-VALUE}"
            })
    private int most;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "100000",
            description = "of the world that is resolved in; default ${DEFAULT-VALUE}")
    private int entities;

    @Override
    public Integer call() throws Exception {
        PaperParameters parameters =
                PerfOutput.checked(() -> new PaperParameters(output.seed, chosen(), rounds, millis, most, entities));
        PostgisServer postgis = server.choice();
        output.checkTargets();
        return PerfCommand.report(() -> PaperBenchmark.run(parameters, postgis, output.progress()), output);
    }

    private List<PaperExperiment> chosen() {
        return experiments.contains(ALL)
                ? List.of(PaperExperiment.values())
                : experiments.stream().map(PaperExperiment::of).toList();
    }
}
