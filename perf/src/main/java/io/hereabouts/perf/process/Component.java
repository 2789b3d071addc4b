package io.hereabouts.perf.process;

import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.PlainBroker;
import io.hereabouts.launcher.Component.Kind;
import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a {@link ChildProcess} can run. Each takes its arguments as text and says where it listens. */
enum Component {

    /** A Kafka broker; arguments: its folder and port, 0 for any free one. Says {@code host:port}. */
    KAFKA {
        @Override
        Running start(List<String> arguments) throws Exception {
            EmbeddedKafka kafka = EmbeddedKafka.launch(Path.of(arguments.get(0)), Integer.parseInt(arguments.get(1)));
            return new Running(kafka, kafka.bootstrapServers());
        }
    },

    /** HiveMQ CE without the bridge; arguments: its port, and a folder if it is to keep sessions. */
    PLAIN {
        @Override
        Running start(List<String> arguments) throws Exception {
            int port = Integer.parseInt(arguments.get(0));
            Optional<Path> sessions = arguments.stream().skip(1).findFirst().map(Path::of);
            return new Running(PlainBroker.launch(LOOPBACK, port, sessions), String.valueOf(port));
        }
    },

    /** The embedded stack; arguments: settings. Says {@code host:port} of Kafka and the MQTT port. */
    STACK {
        @Override
        Running start(List<String> arguments) throws Exception {
            EmbeddedStack stack = EmbeddedStack.launch(settings(arguments), new SimpleMeterRegistry());
            return new Running(stack, stack.kafkaServers() + " " + stack.mqttPort());
        }
    },

    /** One more edge; arguments: its id, then settings. Says its port. */
    EDGE {
        @Override
        Running start(List<String> arguments) throws Exception {
            StackSettings settings = settings(arguments.subList(1, arguments.size()));
            Edge edge = Edge.launch(Wiring.of(settings).edge(EdgeId.of(arguments.get(0))), new SimpleMeterRegistry());
            return new Running(edge, String.valueOf(edge.port()));
        }
    },

    /**
     * A router, a resolver or an edge, as its command starts it; arguments: which, then settings. Says its port for metrics
     * and health.
     */
    PART {
        @Override
        Running start(List<String> arguments) throws Exception {
            io.hereabouts.launcher.Component part = io.hereabouts.launcher.Component.start(
                    Kind.valueOf(arguments.get(0)),
                    settings(arguments.subList(1, arguments.size())),
                    System.err::println);
            // one that has lost its lease ends, as it does where the command runs it
            var unused = part.end().thenAccept(reason -> {
                System.err.println(arguments.get(0) + ": " + reason);
                Runtime.getRuntime().halt(1);
            });
            return new Running(part, String.valueOf(part.httpPort()));
        }
    };

    static final String LOOPBACK = "127.0.0.1";

    /** What was started, and what it says. */
    record Running(AutoCloseable part, String address) {}

    abstract Running start(List<String> arguments) throws Exception;

    private static StackSettings settings(List<String> arguments) throws InvalidSettingsException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return Settings.load(Optional.empty(), settings, System.getenv());
    }
}
