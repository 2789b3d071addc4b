package io.hereabouts.perf.ledger;

import io.hereabouts.launcher.Component.Kind;
import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.ledger.Step.Part;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.postgis.PostgisMissingException;
import io.hereabouts.testkit.postgis.PrivateCluster;
import io.hereabouts.testkit.process.CutableProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka, perhaps PostGIS, a resolver, routers and edges that keep their sessions, each a process of its own; clients come to
 * an edge through a line that can be cut. Everything ends when it is closed. For one thread.
 */
final class LedgerStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerStack.class);
    private static final String LOOPBACK = "127.0.0.1";

    /** Shorter than what is usual, so that a fault takes less of the run. */
    private static final String SESSION_TIMEOUT = "6s";

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Map<Part, Node> nodes = new HashMap<>();
    private final List<CutableProxy> lines = new ArrayList<>();
    private @Nullable PrivateCluster postgis;

    private LedgerStack() {}

    /** Starts all of it, with the city as its world. */
    static LedgerStack start(SeededCity city, LedgerParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        LedgerStack stack = new LedgerStack();
        try {
            stack.startAll(city, parameters, progress);
            return stack;
        } catch (IOException | InvalidSettingsException | ExecutionException | WorldUnavailableException e) {
            stack.close();
            throw new MeasurementException("the stack cannot be started", e);
        } catch (PostgisMissingException e) {
            stack.close();
            throw new MeasurementException("no PostGIS can be started here, install it (Debian: postgresql,"
                    + " postgresql-postgis) or leave postgis out of --faults: " + e.getMessage());
        } catch (MeasurementException | RuntimeException | InterruptedException e) {
            stack.close();
            throw e;
        }
    }

    private void startAll(SeededCity city, LedgerParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException, IOException, InvalidSettingsException,
                    ExecutionException, WorldUnavailableException, PostgisMissingException {
        Path folder = keep(WorkFolder.create()).path();
        int kafkaPort = freePort();
        progress.line("starting Kafka");
        node(new Part(Step.Kind.KAFKA, 0), false, () -> ChildProcess.kafka(folder.resolve("kafka"), kafkaPort));
        Map<String, String> settings = new HashMap<>(Map.of(
                "kafka.bootstrap-servers",
                LOOPBACK + ":" + kafkaPort,
                "router.session-timeout",
                SESSION_TIMEOUT,
                "mqtt.persistence",
                "file",
                "mqtt.host",
                LOOPBACK,
                "http.port",
                "0"));
        if (parameters.postgis()) {
            progress.line("starting PostGIS");
            postgis = keep(PrivateCluster.start());
            settings.put("world.kind", "postgis");
            settings.put("world.postgis.url", postgis.newDatabase("ledger"));
            settings.put("world.postgis.user", postgis.user());
            settings.put("world.postgis.password", "");
        }
        fill(settings, city);
        progress.line("starting a resolver, " + LedgerParameters.ROUTERS + " routers and " + LedgerParameters.EDGES
                + " edges");
        part(Step.Kind.RESOLVER, 0, Kind.RESOLVER, folder, settings);
        for (int r = 0; r < LedgerParameters.ROUTERS; r++) {
            part(Step.Kind.ROUTER, r, Kind.ROUTER, folder, settings);
        }
        for (int e = 0; e < LedgerParameters.EDGES; e++) {
            int port = freePort();
            Map<String, String> own = new HashMap<>(settings);
            own.put("mqtt.port", String.valueOf(port));
            own.put("edge.id", "edge-" + e);
            part(Step.Kind.EDGE, e, Kind.EDGE, folder, own);
            lines.add(keep(CutableProxy.to(LOOPBACK, port)));
        }
    }

    private static void fill(Map<String, String> settings, SeededCity city)
            throws InvalidSettingsException, WorldUnavailableException, InterruptedException, ExecutionException {
        StackSettings all = Settings.load(Optional.empty(), settings, Map.of());
        Wiring wiring = Wiring.of(all);
        try (TopicAdmin admin = new TopicAdmin(wiring.kafka(), wiring.topics())) {
            admin.create(wiring.topics().fixed());
        }
        try (WorldTarget world = WorldTarget.open(all, wiring)) {
            for (PhysicalEntity entity : city.entities()) {
                world.upsert(entity);
            }
            world.finish();
        }
    }

    private void part(Step.Kind kind, int index, Kind component, Path folder, Map<String, String> settings)
            throws MeasurementException {
        Part part = new Part(kind, index);
        Map<String, String> own = new HashMap<>(settings);
        own.put("data", folder.resolve(part.toString()).toString());
        List<String> arguments = own.entrySet().stream()
                .map(s -> s.getKey() + "=" + s.getValue())
                .toList();
        node(part, true, () -> ChildProcess.part(component, arguments));
    }

    private void node(Part part, boolean hasEndpoint, Node.Start start) throws MeasurementException {
        Node node = keep(new Node(part.toString(), hasEndpoint, start));
        node.start();
        nodes.put(part, node);
    }

    private <T extends AutoCloseable> T keep(T what) {
        started.push(what);
        return what;
    }

    /** Where the clients of an edge connect. */
    MqttAddress address(int edge) {
        return new MqttAddress(LOOPBACK, lines.get(edge).port());
    }

    /** The line between an edge and its clients. */
    CutableProxy line(int edge) {
        return lines.get(edge);
    }

    Node node(Part part) {
        Node node = nodes.get(part);
        if (node == null) {
            throw new IllegalArgumentException("no " + part);
        }
        return node;
    }

    List<Node> edges() {
        return nodes.entrySet().stream()
                .filter(e -> e.getKey().kind() == Step.Kind.EDGE)
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The database of the world. */
    PrivateCluster postgis() {
        PrivateCluster cluster = postgis;
        if (cluster == null) {
            throw new IllegalStateException("the world is in memory");
        }
        return cluster;
    }

    /** What is wrong with any process; empty if all of them do their work. */
    Optional<String> wrong() throws InterruptedException {
        for (Node node : nodes.values()) {
            Optional<String> wrong = node.wrong();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                LOG.warn("something did not close", e);
            }
        }
    }
}
