package io.hereabouts.launcher;

import io.hereabouts.bridge.ClientLookup;
import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeIds;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.router.Routers;
import io.hereabouts.schemas.kafka.TopicWait;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.ops.OpsEndpoint;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One component as a process of its own, with its endpoint for metrics and health. The endpoint answers from the start,
 * and says what the component waits for. Stopped from any thread.
 */
public final class Component implements AutoCloseable {

    /** Which one. */
    public enum Kind {
        ROUTER,
        RESOLVER,
        EDGE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Kind kind;
    private final StackSettings settings;
    private final Consumer<String> waits;
    private final Started started = new Started();
    private final ProcessHealth health;
    private final OpsEndpoint endpoint;
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private Map<MqttListener, Integer> mqttPorts = Map.of();

    private Component(Kind kind, StackSettings settings, Consumer<String> waits)
            throws StartException, InvalidSettingsException, InterruptedException {
        this.kind = kind;
        this.settings = settings;
        this.waits = waits;
        Wiring wiring = Wiring.of(settings);
        this.health = new ProcessHealth(
                kind == Kind.RESOLVER ? List.of(WorldSource.NAME, kind.toString()) : List.of(kind.toString()));
        try {
            this.endpoint = started.add(OpsEndpoint.open(OpsAddress.of(settings), health));
            TopicWait.await(wiring.kafka(), wiring.topics(), startTimeout(), this::waitsFor);
            health.starting(kind.toString(), "is starting");
            switch (kind) {
                case ROUTER -> router(wiring);
                case RESOLVER -> resolver(wiring);
                case EDGE -> edge(wiring);
            }
        } catch (InterruptedException e) {
            close();
            throw e;
        } catch (Exception e) {
            close();
            throw new StartException(kind.toString(), e);
        }
    }

    /**
     * Starts a component; it does its work when this returns.
     *
     * @param waits told what is waited for, such as Kafka, each time that it is another
     * @throws StartException if Kafka, its topics or the world are not there in time, or something is wrong with them
     */
    public static Component start(Kind kind, StackSettings settings, Consumer<String> waits)
            throws StartException, InvalidSettingsException, InterruptedException {
        return new Component(kind, settings, waits);
    }

    /** The port on which MQTT clients connect to an edge, its first one. */
    public OptionalInt mqttPort() {
        return mqttPorts.values().stream().mapToInt(Integer::intValue).findFirst();
    }

    /** The ports on which MQTT clients connect to an edge, by how. */
    public Map<MqttListener, Integer> mqttPorts() {
        return mqttPorts;
    }

    /** Completed with the reason if the component has ended of itself: an edge that has lost its lease. */
    public CompletionStage<String> end() {
        return end.minimalCompletionStage();
    }

    /** The port for metrics and health. */
    public int httpPort() {
        return endpoint.port();
    }

    /** Says that it is stopping, finishes what it does, and leaves its group. */
    @Override
    public void close() {
        health.stopping();
        started.close();
    }

    private void router(Wiring wiring) throws Exception {
        Routers router = started.add(Routers.launch(wiring.router(), endpoint.metrics()));
        health.watch(kind.toString(), router);
        router.awaitRunning(startTimeout());
    }

    private void resolver(Wiring wiring) throws Exception {
        WorldSource world = started.add(world(wiring));
        health.watch(WorldSource.NAME, world);
        Resolver resolver = started.add(Resolver.launch(wiring.resolver(), world.world(), endpoint.metrics()));
        health.watch(kind.toString(), resolver);
        if (!resolver.awaitReady(startTimeout())) {
            throw new IllegalStateException(
                    "its group gave it no partitions within " + startTimeout().toSeconds() + " s");
        }
    }

    private void edge(Wiring wiring) throws Exception {
        Edge edge = started.add(Edge.launch(wiring.edge(EdgeIds.of(settings, settings.data())), endpoint.metrics()));
        health.watch(kind.toString(), edge);
        endpoint.lookUp(ClientLookup.PATH, new ClientLookup(edge));
        mqttPorts = edge.ports();
        var unused = edge.end().thenAccept(end::complete);
    }

    /** A database may come up after its resolver. */
    private WorldSource world(Wiring wiring) throws WorldUnavailableException, InterruptedException {
        long deadline = System.nanoTime() + startTimeout().toNanos();
        String last = "";
        while (true) {
            try {
                return WorldSource.open(settings, wiring, endpoint.metrics(), startTimeout());
            } catch (WorldUnavailableException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                String reason = String.valueOf(e.getMessage());
                health.starting(WorldSource.NAME, reason);
                if (!reason.equals(last)) {
                    waits.accept(reason);
                    last = reason;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            }
        }
    }

    private void waitsFor(String obstacle) {
        health.starting(kind.toString(), obstacle);
        waits.accept(obstacle);
    }

    private Duration startTimeout() {
        return settings.kafka().startTimeout();
    }
}
