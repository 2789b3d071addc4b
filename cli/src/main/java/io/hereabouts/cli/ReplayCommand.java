package io.hereabouts.cli;

import io.hereabouts.replay.InvalidMappingException;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayFailedException;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.replay.Speed;
import io.hereabouts.replay.kafka.KafkaPublicationSink;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: historical readings to Kafka, paced by event time. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = "Publishes the rows of a CSV file (plain or .gz) through Kafka, in the order of their time.")
final class ReplayCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "FILE", description = "CSV, plain or .gz")
    private Path file = Path.of("");

    @Option(
            names = "--mapping",
            required = true,
            paramLabel = "FILE",
            description = "what the columns mean, JSON; see docs/replay.md")
    private Path mapping = Path.of("");

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            defaultValue = "max",
            description = "1: as it happened; 60: a minute a second; max: without waiting; default ${DEFAULT-VALUE}")
    private String speed = "max";

    @Option(names = "--sorted", description = "the file is sorted by time: do not sort it")
    private boolean sorted;

    @Option(names = "--json", description = "print the closing report as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        ReplayConfig config = config();
        try (KafkaPublicationSink sink =
                KafkaPublicationSink.open(Settings.kafka(settings), Settings.topics(settings))) {
            ReplayReport report = replay(config, sink);
            print(report);
            return report.sent() == 0 && report.bad() > 0 ? 1 : 0;
        } catch (SinkFailedException | ReplayFailedException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        }
    }

    private ReplayReport replay(ReplayConfig config, KafkaPublicationSink sink)
            throws ReplayFailedException, InterruptedException {
        try (ReplayBar bar = new ReplayBar(spec.commandLine().getErr())) {
            return Replay.run(config, sink, PaceClock.SYSTEM, bar, new SimpleMeterRegistry());
        }
    }

    private void print(ReplayReport report) {
        spec.commandLine().getOut().println(json ? Json.of(report) : report.toString());
    }

    private ReplayConfig config() throws InputException {
        try {
            return ReplayConfig.of(file, Mapping.load(mapping))
                    .withSpeed(Speed.parse(speed))
                    .withSorted(sorted);
        } catch (IOException e) {
            throw new InputException("--mapping " + mapping + ": cannot be read: " + e.getMessage());
        } catch (InvalidMappingException e) {
            throw new InputException("--mapping " + mapping + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }
}
