package io.hereabouts.cli;

import io.hereabouts.replay.InvalidFileException;
import io.hereabouts.replay.InvalidMappingException;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.PublicationSink;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayFailedException;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.replay.kafka.KafkaPublicationSink;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.replay.mqtt.MqttPublicationSink;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: historical readings to Kafka or through an edge, paced by event time. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes the rows of CSV or NDJSON files (plain or .gz) in the order of their event time, through Kafka"
                    + " itself or, with --mqtt, through an edge.",
            "A line that is wrong is reported with file and line number and counted, the rest is published."
        },
        footer = {
            "",
            "Exit code 0: done; 1: it did not work out: the other side failed or refused publications, a file broke off,"
                    + " or no line was good; 2: wrong use, mapping or file.",
            "TIME is 2024-03-31T05:00+02:00, or without offset in the time zone of the mapping, or a date."
        })
final class ReplayCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Mixin
    private ReplayOptions replay;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "CSV, or NDJSON (.ndjson, .jsonl, or as the mapping says), plain or .gz")
    private List<Path> files = List.of();

    @Option(
            names = "--mapping",
            required = true,
            paramLabel = "FILE",
            description = "what the columns mean, JSON; see docs/replay.md")
    private Path mapping = Path.of("");

    @Option(
            names = "--mqtt",
            paramLabel = "HOST:PORT",
            description = "publish through this edge, MQTT 5 at QoS 1, instead of straight to Kafka")
    private @Nullable String mqtt;

    @Option(names = "--json", description = "print the closing report as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        ReplayConfig config = replay.config(files, mapping());
        Thread self = Thread.currentThread();
        Shutdown shutdown = Shutdown.onSignal(self::interrupt);
        try (PublicationSink sink = sink(config.mapping())) {
            ReplayReport report = run(config, sink);
            print(report);
            boolean nothingGood = report.sent() == 0 && report.bad() > 0;
            return nothingGood || report.refusedInAll() > 0 ? 1 : 0;
        } catch (ReplayFailedException e) {
            if (json) {
                print(e.report());
            }
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (SinkFailedException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } finally {
            shutdown.complete();
        }
    }

    private ReplayReport run(ReplayConfig config, PublicationSink sink) throws ReplayFailedException, InputException {
        try (ReplayBar bar = new ReplayBar(spec.commandLine().getErr())) {
            return Replay.run(config, sink, PaceClock.SYSTEM, bar, new SimpleMeterRegistry());
        } catch (InvalidFileException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new InputException("cannot be read or written: " + e);
        }
    }

    private PublicationSink sink(Mapping read)
            throws InputException, FailedException, InvalidSettingsException, SinkFailedException,
                    InterruptedException {
        if (mqtt == null) {
            StackSettings settings = options.load();
            Reachable.kafka(settings);
            return KafkaPublicationSink.open(Settings.kafka(settings), Settings.topics(settings));
        }
        for (String useless : List.of("--kafka", "--set", "--config")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(useless)) {
                throw new InputException(
                        "--mqtt and " + useless + ": expected one of them, nothing goes to Kafka itself");
            }
        }
        if (read.qos() != 1) {
            throw new InputException(
                    "--mqtt publishes at QoS 1, but qos of --mapping " + mapping + " is " + read.qos());
        }
        try {
            return MqttPublicationSink.open(MqttAddress.parse(mqtt));
        } catch (IllegalArgumentException e) {
            throw new InputException("--mqtt: " + e.getMessage());
        }
    }

    private Mapping mapping() throws InputException {
        try {
            return Mapping.load(mapping);
        } catch (IOException e) {
            throw InputException.unreadable("--mapping " + mapping, e);
        } catch (InvalidMappingException e) {
            throw new InputException("--mapping " + mapping + ": " + e.getMessage());
        }
    }

    private void print(ReplayReport report) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? Json.of(report) : report.toString());
        out.flush();
        if (report.bad() > 0 && !replay.keepsRejects()) {
            spec.commandLine().getErr().println("note: --rejects FILE keeps the bad lines");
        }
    }
}
