package io.hereabouts.perf.mqtt;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The stack that is measured. What was started for it ends when it is closed. For one thread. */
final class TestBed implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration ACCEPTED_WITHIN = Duration.ofSeconds(60);
    private static final long AGAIN_NANOS = 100_000_000;

    private final Deque<ChildProcess> started = new ArrayDeque<>();
    private final WorkFolder folder;
    private final Map<String, String> settings;
    private final Progress progress;
    private final MqttAddress edge;
    private @Nullable ChildProcess plain;
    private @Nullable ChildProcess stack;
    private final boolean stays;

    private TestBed(StackChoice choice, WorkFolder folder, Progress progress) throws MeasurementException {
        this.folder = folder;
        this.progress = progress;
        this.settings = new HashMap<>(choice.settings());
        this.stays = choice.kafka() != null;
        if (choice.kafka() != null) {
            settings.put("kafka.bootstrap-servers", choice.kafka());
            this.edge = Objects.requireNonNull(choice.mqtt());
            return;
        }
        progress.line("starting a stack");
        Map<String, String> own = new HashMap<>(settings);
        own.putAll(Map.of(
                "data", folder.path().resolve("stack").toString(),
                "kafka.port", "0",
                "mqtt.port", "0"));
        ChildProcess child = keep(ChildProcess.stack(arguments(own)));
        this.stack = child;
        List<String> address = List.of(child.address().split(" ", 2));
        settings.put("kafka.bootstrap-servers", address.get(0));
        this.edge = new MqttAddress(LOOPBACK, Integer.parseInt(address.get(1)));
    }

    /** The stack that was chosen, started if need be. */
    static TestBed open(StackChoice choice, Progress progress) throws MeasurementException {
        WorkFolder folder = WorkFolder.create();
        try {
            return new TestBed(choice, folder, progress);
        } catch (MeasurementException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** Whether the stack goes on when this is closed. */
    boolean stays() {
        return stays;
    }

    /** CPU time of the stack's process; empty if it was not started here. */
    Optional<Duration> stackCpu() {
        return Optional.ofNullable(stack).map(ChildProcess::cpu);
    }

    /** CPU time of the plain broker's process; empty if it was not started here. */
    Optional<Duration> plainCpu() {
        return Optional.ofNullable(plain).map(ChildProcess::cpu);
    }

    /** The edge to be measured. */
    MqttAddress edge() {
        return edge;
    }

    /** The stack's settings, on the Kafka that runs; those of the environment count for a stack that was there before. */
    StackSettings settings() throws InvalidSettingsException {
        return Settings.load(Optional.empty(), settings, stays ? System.getenv() : Map.of());
    }

    /** As {@link #settings}. */
    Wiring wiring() throws InvalidSettingsException {
        return Wiring.of(settings());
    }

    /**
     * Waits until the edge accepts a neighborhood: it is refused while the stack, whose world may follow what was written
     * to it later, does not know a reference.
     */
    void awaitAccepted(String clientId, String descriptor) throws MeasurementException, InterruptedException {
        long begin = System.nanoTime();
        try (MqttClient client = MqttClient.connect(edge, clientId, m -> {})) {
            MqttClient.Answer answer = client.subscribe(clientId, 0, descriptor, "world");
            while (answer.refused()) {
                if (System.nanoTime() - begin > ACCEPTED_WITHIN.toNanos()) {
                    throw new MeasurementException(
                            "the stack does not know the entities of this run: " + answer.refusal());
                }
                TimeUnit.NANOSECONDS.sleep(AGAIN_NANOS);
                answer = client.subscribe(clientId, 0, descriptor, "world");
            }
        }
    }

    /** Starts one more edge of the stack. */
    MqttAddress secondEdge(String id) throws MeasurementException {
        progress.line("starting a second edge");
        Map<String, String> own = new HashMap<>(settings);
        own.putAll(Map.of("data", folder.path().resolve(id).toString(), "mqtt.host", LOOPBACK, "mqtt.port", "0"));
        return new MqttAddress(
                LOOPBACK,
                Integer.parseInt(
                        keep(ChildProcess.edge(id, arguments(own), stays)).address()));
    }

    /** Where the stack's broker keeps sessions. */
    StackSettings.Persistence persistence() throws MeasurementException {
        try {
            return settings().mqtt().persistence();
        } catch (InvalidSettingsException e) {
            throw new MeasurementException("settings", e);
        }
    }

    /** Starts a broker without the bridge, which keeps sessions where the stack's does. */
    MqttAddress plainBroker() throws MeasurementException {
        progress.line("starting a plain broker");
        try {
            int port = freePort();
            Optional<Path> sessions = persistence() == StackSettings.Persistence.FILE
                    ? Optional.of(folder.path().resolve("plain"))
                    : Optional.empty();
            plain = keep(ChildProcess.plainBroker(port, sessions));
            return new MqttAddress(LOOPBACK, port);
        } catch (IOException e) {
            throw new MeasurementException("no free port", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    private ChildProcess keep(ChildProcess process) {
        started.push(process);
        return process;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            started.pop().close();
        }
        folder.close();
    }
}
