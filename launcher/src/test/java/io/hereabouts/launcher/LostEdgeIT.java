package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
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
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edges as processes that die, stand still or have an id that another has, and what becomes of what they asked for. */
class LostEdgeIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(3);
    private static final Duration SOON = Duration.ofMinutes(1);

    /** Shorter than the heartbeat: who lives stays because he answers. */
    private static final Duration EXPIRY = Duration.ofSeconds(3);

    @TempDir
    Path folder;

    private final Started started = new Started();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private KafkaConnection kafka = KafkaConnection.to("unset:1");

    @BeforeEach
    void startStack() throws Exception {
        EmbeddedKafka broker = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
        kafka = KafkaConnection.to(broker.bootstrapServers());
        try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
            admin.create(TOPICS.fixed());
        }
        Router router =
                started.add(Router.launch(RouterConfig.builder(kafka, TOPICS).build(), meters));
        router.awaitRunning(SOON);
    }

    private void startResolver(Duration expiry) throws Exception {
        InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
        world.apply(ChangeSet.upsert(CITY.entities()));
        started.add(Resolver.launch(ResolverConfig.withDefaults(kafka, TOPICS).withEdgeExpiry(expiry), world, meters));
    }

    @AfterEach
    void stopStack() {
        started.close();
    }

    @Test
    void shouldRemoveEdgesThatAreGoneAndServeOneThatReturns() throws Exception {
        startResolver(EXPIRY);
        ComponentProcess stays = start("stays");
        ComponentProcess gone = start("gone");
        ComponentProcess sleeper = start("sleeper");
        Subscriber there = subscriber(stays);
        subscriber(gone);
        subscriber(sleeper);
        assertThat(keys(TOPICS.interests())).hasSize(3);

        gone.kill();
        sleeper.stall();

        await().atMost(SOON).until(() -> edges("removed") == 2);
        assertThat(keys(TOPICS.interests())).singleElement(STRING).endsWith("|stays");
        assertThat(keys(TOPICS.filters())).noneMatch(key -> key.endsWith("|gone") || key.endsWith("|sleeper"));
        assertThat(keys(TOPICS.subscriptions())).singleElement(STRING).startsWith("stays\0");
        assertThat(keys(TOPICS.edges())).containsExactly("stays");
        try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
            assertThat(admin.partitionsOf(TOPICS.deliveries(EdgeId.of("gone")))).isEmpty();
            assertThat(admin.partitionsOf(TOPICS.deliveries(EdgeId.of("sleeper"))))
                    .isEmpty();
        }
        assertThat(edges("answered"))
                .as("the one that lives was asked and stayed")
                .isPositive();
        there.assertGets("after the removal");

        ComponentProcess again = start("gone");
        sleeper.wake();
        assertThat(sleeper.awaitFailure())
                .isEqualTo("edge 'sleeper' has lost its lease: it was taken for gone: nothing was heard of it for"
                        + " edge.expiry, nor when it was asked");
        subscriber(again).assertGets("after the return");
        assertThat(keys(TOPICS.interests())).hasSize(2).noneMatch(key -> key.endsWith("|sleeper"));
    }

    @Test
    void shouldLetOneProcessHaveAnId() throws Exception {
        startResolver(ResolverConfig.withDefaults(kafka, TOPICS).edgeExpiry());
        String host = InetAddress.getLocalHost().getHostName();
        ComponentProcess first = start("same");
        Subscriber subscriber = subscriber(first);

        ComponentProcess second = start("same");

        assertThat(second.awaitFailure())
                .contains("edge 'same' runs already on host " + host + "; give each edge an edge.id of its own");
        subscriber.assertGets("undisturbed");

        first.stall();
        Subscriber successor = subscriber(start("same", "elsewhere"));
        first.wake();
        assertThat(first.awaitFailure()).isEqualTo("edge 'same' has lost its lease: it runs on host " + host + " now");
        successor.assertGets("by the successor");
        assertThat(edges("removed")).isZero();
    }

    private ComponentProcess start(String id) {
        return start(id, id);
    }

    private ComponentProcess start(String id, String data) {
        return started.add(ComponentProcess.edge(kafka, id, 0, folder.resolve(data)));
    }

    private double edges(String outcome) {
        return meters.counter("hereabouts.resolver.edges", "outcome", outcome).count();
    }

    private Subscriber subscriber(ComponentProcess edge) throws Exception {
        return new Subscriber(Integer.parseInt(edge.awaitReady()));
    }

    /** A client with a subscription that contains a zone beside the central one. */
    private final class Subscriber {
        private final List<String> received = new CopyOnWriteArrayList<>();
        private final TestClient client;

        Subscriber(int port) {
            client = started.add(TestClient.connect(
                    port,
                    "client-" + port,
                    p -> received.add(new String(p.getPayloadAsBytes(), StandardCharsets.UTF_8))));
            String descriptor = "{\"stages\":[{\"references\":[\"" + CITY.centralZone()
                    + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"touches\"}}]}";
            assertThat(client.subscribe("t", 1, descriptor, "n").join()).isEqualTo(new Answer(1, ""));
        }

        void assertGets(String payload) {
            String zone = CITY.centralZone();
            String neighbor = "zone/" + (Integer.parseInt(zone.substring("zone/".length())) + 1);
            assertThat(client.publish("t", 1, payload, neighbor).join()).isEqualTo(new Answer(0, ""));
            await().atMost(SOON).untilAsserted(() -> assertThat(received).containsExactly(payload));
            received.clear();
        }
    }

    /** The keys that a compacted Kafka topic holds, but for probes and owners. */
    private Set<String> keys(String topic) {
        return CompactedView.of(kafka, topic).keySet().stream()
                .map(key -> key.substring(key.indexOf('/') + 1))
                .collect(Collectors.toSet());
    }
}
