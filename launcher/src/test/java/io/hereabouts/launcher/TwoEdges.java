package io.hereabouts.launcher;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.router.Router;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.process.CutableProxy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Kafka, a resolver, a router and the edges east and west, with a proxy before east. */
final class TwoEdges implements AutoCloseable {

    static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(3);
    static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);

    /** Shorter than the heartbeat: who lives stays because he answers. */
    static final Duration EXPIRY = Duration.ofSeconds(3);

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final KafkaConnection kafka;
    final Edge east;
    final Edge west;
    /** The line between clients and east. */
    final CutableProxy line;

    private final Started started = new Started();
    private final Path folder;

    TwoEdges(Path folder) throws Exception {
        this.folder = folder;
        try {
            EmbeddedKafka broker = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
            kafka = KafkaConnection.to(broker.bootstrapServers());
            try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
                admin.create(TOPICS.fixed());
            }
            Router router = started.add(
                    Router.launch(RouterConfig.builder(kafka, TOPICS).build(), meters));
            router.awaitRunning(Duration.ofMinutes(1));
            InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
            world.apply(ChangeSet.upsert(CITY.entities()));
            started.add(
                    Resolver.launch(ResolverConfig.withDefaults(kafka, TOPICS).withEdgeExpiry(EXPIRY), world, meters));
            east = started.add(edge("east", kafka));
            west = started.add(edge("west", kafka));
            line = started.add(CutableProxy.to("127.0.0.1", east.port()));
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** One more edge in this process, by its own way to Kafka. */
    Edge edge(String id, KafkaConnection by) {
        return Edge.launch(
                EdgeConfig.builder(EdgeId.of(id), by, TOPICS)
                        .listen("127.0.0.1", 0)
                        .build(),
                meters);
    }

    /** One more edge in a process of its own. */
    ComponentProcess process(String id) {
        return started.add(ComponentProcess.edge(kafka, id, 0, folder.resolve(id)));
    }

    <T extends AutoCloseable> T add(T what) {
        return started.add(what);
    }

    /** What a client is handed, in its order. */
    static List<String> received(Mqtt5AsyncClient client) {
        List<String> received = new CopyOnWriteArrayList<>();
        client.publishes(MqttGlobalPublishFilter.ALL, p -> received.add(text(p)));
        return received;
    }

    static String text(Mqtt5Publish publish) {
        return new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }

    /** A client that is not connected yet. */
    static Mqtt5AsyncClient client(int port, String id) {
        return Mqtt5Client.builder()
                .identifier(id)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildAsync();
    }

    /** A neighborhood that has {@link #neighbor()} in it. */
    static String neighborhood() {
        return "{\"stages\":[{\"references\":[\"" + CITY.centralZone()
                + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"touches\"}}]}";
    }

    static String neighbor() {
        return "zone/" + (Integer.parseInt(CITY.centralZone().substring("zone/".length())) + 1);
    }

    double count(String name, String... tags) {
        return meters.find(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Override
    public void close() {
        started.close();
    }
}
