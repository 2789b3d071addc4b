package io.hereabouts.launcher;

import io.hereabouts.bridge.ClientLookup;
import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeIds;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.router.Routers;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything in one process: Kafka (unless the settings name one), world model, resolver, router, edge. Started in this
 * order, closed in reverse; a start that fails names the step and closes what was started. What it keeps is in the data
 * folder of the settings, which only the user deletes.
 */
public final class EmbeddedStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStack.class);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private final Started started = new Started();
    private final Wiring wiring;
    private final Edge edge;

    private EmbeddedStack(
            StackSettings settings, MeterRegistry metrics, List<PhysicalEntity> entities, ProcessHealth health)
            throws StartException {
        try {
            started.add(step("stack", () -> DataFolder.take(settings.data())));
            String servers = step("Kafka", () -> kafka(settings));
            this.wiring = step("settings", () -> Wiring.of(settings, servers));
            step("Kafka topics", this::topics);
            if (!entities.isEmpty()) {
                step("import", () -> write(entities, settings));
            }
            WorldSource world =
                    started.add(step("world model", () -> WorldSource.open(settings, wiring, metrics, START_TIMEOUT)));
            health.watch(WorldSource.NAME, world);
            Resolver resolver =
                    started.add(step("resolver", () -> Resolver.launch(wiring.resolver(), world.world(), metrics)));
            health.watch("resolver", resolver);
            Routers router = started.add(step("router", () -> Routers.launch(wiring.router(), metrics)));
            health.watch("router", router);
            step("resolver", () -> requireReady(resolver));
            step("router", () -> {
                router.awaitRunning(START_TIMEOUT);
                return router;
            });
            this.edge = started.add(
                    step("edge", () -> Edge.launch(wiring.edge(EdgeIds.of(settings, settings.data())), metrics)));
            health.watch("edge", edge);
        } catch (StartException e) {
            started.close();
            throw e;
        }
    }

    /**
     * Starts everything; when it returns, clients can connect.
     *
     * @throws StartException naming the step that failed
     */
    public static EmbeddedStack launch(StackSettings settings, MeterRegistry metrics) throws StartException {
        return launch(settings, metrics, List.of());
    }

    /**
     * Starts everything, with these entities added to the world before anyone can ask for them.
     *
     * @throws StartException naming the step that failed
     */
    public static EmbeddedStack launch(StackSettings settings, MeterRegistry metrics, List<PhysicalEntity> entities)
            throws StartException {
        return launch(settings, metrics, entities, health());
    }

    /**
     * As above; each component reports to {@code health} from its start on.
     *
     * @param health of {@link #health}
     */
    public static EmbeddedStack launch(
            StackSettings settings, MeterRegistry metrics, List<PhysicalEntity> entities, ProcessHealth health)
            throws StartException {
        return new EmbeddedStack(settings, metrics, entities, health);
    }

    /** The health of a process that is about to start a stack. */
    public static ProcessHealth health() {
        return new ProcessHealth(List.of(WorldSource.NAME, "resolver", "router", "edge"));
    }

    /** The ports on which MQTT clients connect, by how. */
    public Map<MqttListener, Integer> mqttPorts() {
        return edge.ports();
    }

    /** The port on which MQTT clients connect. */
    public int mqttPort() {
        return edge.port();
    }

    /** {@code host:port} of Kafka. */
    public String kafkaServers() {
        return wiring.kafka().bootstrapServers();
    }

    /** What the edge knows of its clients. */
    public ClientLookup clients() {
        return new ClientLookup(edge);
    }

    /** What the features were configured with. */
    public Wiring wiring() {
        return wiring;
    }

    @Override
    public void close() {
        started.close();
    }

    private String kafka(StackSettings settings) throws Exception {
        if (settings.kafka().bootstrapServers().isPresent()) {
            return settings.kafka().bootstrapServers().get();
        }
        EmbeddedKafka kafka = started.add(EmbeddedKafka.launch(
                settings.data().resolve("kafka"), settings.kafka().port()));
        return kafka.bootstrapServers();
    }

    private List<String> topics() throws Exception {
        try (TopicAdmin admin = new TopicAdmin(wiring.kafka(), wiring.topics())) {
            List<TopicSpec> fixed = admin.asGrown().fixed();
            List<String> created = admin.create(fixed);
            List<String> problems = admin.check(fixed);
            if (!problems.isEmpty()) {
                throw new IllegalStateException(String.join("; ", problems));
            }
            return created;
        }
    }

    private int write(List<PhysicalEntity> entities, StackSettings settings) throws WorldUnavailableException {
        try (WorldTarget target = WorldTarget.open(settings, wiring)) {
            for (PhysicalEntity entity : entities) {
                target.upsert(entity);
            }
            target.finish();
        }
        return entities.size();
    }

    private static Resolver requireReady(Resolver resolver) throws InterruptedException {
        if (!resolver.awaitReady(START_TIMEOUT)) {
            throw new IllegalStateException("did not take over its partitions within " + START_TIMEOUT);
        }
        return resolver;
    }

    private static <T> T step(String name, Callable<T> start) throws StartException {
        long begin = System.nanoTime();
        try {
            T result = start.call();
            LOG.info("{} after {} ms", name, (System.nanoTime() - begin) / 1_000_000);
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException(name, e);
        } catch (Exception e) {
            throw new StartException(name, e);
        }
    }
}
