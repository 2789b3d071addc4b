package io.hereabouts.cli;

import io.hereabouts.perf.mqtt.AlternativesBenchmark;
import io.hereabouts.perf.mqtt.AlternativesParameters;
import io.hereabouts.perf.postgis.ZoneQueries;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf alternatives}: what else would do. */
@Command(
        name = "alternatives",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Hereabouts beside what could be used instead.",
            "A topic filter for each entity; broadcast to clients that sort; a PostGIS query a publication; a KTable with sets."
        })
final class PerfAlternativesCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions postgis;

    @Option(
            names = "--zones",
            paramLabel = "N",
            defaultValue = "20",
            description = "each with a subscriber; default ${DEFAULT-VALUE}")
    private int zones;

    @Option(
            names = "--entities",
            paramLabel = "N",
            defaultValue = "1000",
            description = "in all zones together; default ${DEFAULT-VALUE}")
    private int entities;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "500",
            description = "publications a second of the latency rounds; default ${DEFAULT-VALUE}")
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
            defaultValue = "10",
            description = "at full speed before anything is measured; default ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "rounds of each, for latency and for throughput; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "200",
            description = "publications on their way in the throughput rounds; default ${DEFAULT-VALUE}")
    private int window;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "128",
            description = "of a publication, at least 24; default ${DEFAULT-VALUE}")
    private int payload;

    @Option(
            names = {"-q", "--qos"},
            paramLabel = "QOS",
            defaultValue = "1",
            description = "0 or 1; default ${DEFAULT-VALUE}")
    private int qos;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "200000",
            description = "publications of a round of router and KTable; default ${DEFAULT-VALUE}")
    private int records;

    @Override
    public Integer call() throws Exception {
        AlternativesParameters parameters = PerfOutput.checked(() -> new AlternativesParameters(
                output.seed, zones, entities, rate, seconds, warmUp, rounds, window, payload, qos, records));
        var server = postgis.choice();
        return PerfCommand.report(
                () -> AlternativesBenchmark.run(
                        parameters, (zones, others) -> ZoneQueries.fill(server, zones, others), output.progress()),
                output);
    }
}
