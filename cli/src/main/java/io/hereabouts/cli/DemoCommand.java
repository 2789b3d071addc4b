package io.hereabouts.cli;

import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.StartException;
import io.hereabouts.launcher.demo.Demo;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.ops.OpsEndpoint;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.DurationConverter;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code demo}: everything at once, with a made-up city. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the whole way with a made-up city.",
            "Starts the embedded stack, subscribes three neighborhoods and a plain topic filter, publishes readings of the"
                    + " city's detectors and prints what arrives. Exit code 0 if all that was expected came."
        })
final class DemoCommand implements Callable<Integer> {

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "stop after this long, e.g. 20s; default: at Ctrl-C")
    private @Nullable String duration;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5",
            description = "readings a second; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "0",
            description = "MQTT port; default: any free one")
    private int port;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Duration limit = limit();
        if (rate < 1 || rate > 10_000) {
            throw new InputException("--rate is " + rate + ", expected 1 to 10000");
        }
        Path folder = Files.createTempDirectory("hereabouts-demo");
        CountDownLatch end = new CountDownLatch(1);
        Shutdown shutdown = Shutdown.onSignal(end::countDown);
        try {
            return run(folder, limit, end) ? 0 : 1;
        } catch (StartException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } finally {
            try {
                delete(folder);
            } finally {
                shutdown.complete();
            }
        }
    }

    private boolean run(Path folder, Duration limit, CountDownLatch end) throws Exception {
        // nothing of the user's own settings: the demo must not touch a real system
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "data",
                        folder.toString(),
                        "kafka.port",
                        "0",
                        "http.port",
                        "0",
                        "mqtt.port",
                        String.valueOf(port)),
                Map.of());
        ProcessHealth health = EmbeddedStack.health();
        SeededCity city = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
        print("starting Kafka, resolver, router and an MQTT edge in this process …");
        try (OpsEndpoint endpoint = OpsEndpoint.open(OpsAddress.of(settings), health);
                EmbeddedStack stack = EmbeddedStack.launch(settings, endpoint.metrics(), city.entities(), health)) {
            print("a city of " + city.entities().size() + " entities; MQTT on 127.0.0.1:" + stack.mqttPort()
                    + ": any MQTT 5 client can join, for example");
            print("  ./hereabouts sub -p " + stack.mqttPort() + " -t 'traffic/#' -v");
            print("metrics and health: http://127.0.0.1:" + endpoint.port() + "/metrics, /health/ready");
            return new Demo(city, "127.0.0.1", stack.mqttPort(), rate, endpoint.metrics(), this::print).run(limit, end);
        }
    }

    private Duration limit() throws InputException {
        try {
            return duration == null ? Duration.ofDays(36_500) : DurationConverter.parse(duration);
        } catch (IllegalArgumentException e) {
            throw new InputException("--for: " + e.getMessage());
        }
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
