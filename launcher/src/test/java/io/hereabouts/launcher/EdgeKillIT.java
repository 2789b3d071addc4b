package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
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
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An edge that is killed in the middle of deliveries and started again: what its sessions get, all told. */
class EdgeKillIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(3);
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int PER_SECOND = 500;
    private static final int KILLS = 2;
    private static final int PER_ROUND = 4 * PER_SECOND;

    /** What was handed over in a commit interval of 1 s, with as much again because the machine may be slow. */
    private static final int REPEATS_OF_A_KILL = 2 * PER_SECOND;

    @TempDir
    Path folder;

    private final Started started = new Started();
    private KafkaConnection kafka = KafkaConnection.to("unset:1");

    @BeforeEach
    void startStack() throws Exception {
        EmbeddedKafka broker = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
        kafka = KafkaConnection.to(broker.bootstrapServers());
        try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
            admin.create(TOPICS.fixed());
        }
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Router router =
                started.add(Router.launch(RouterConfig.builder(kafka, TOPICS).build(), meters));
        router.awaitRunning(SOON);
        InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
        world.apply(ChangeSet.upsert(CITY.entities()));
        started.add(Resolver.launch(ResolverConfig.withDefaults(kafka, TOPICS), world, meters));
    }

    @AfterEach
    void stopStack() {
        started.close();
    }

    @Test
    void shouldLoseNothingOfASessionWhoseEdgeIsKilled() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("EdgeKillIT: seed " + seed);
        Random random = new Random(seed);
        int port = freePort();
        ComponentProcess victim = edge("victim", port);
        victim.awaitReady();
        Session live = new Session(port, "live");
        Session asleep = new Session(port, "asleep");
        asleep.client.disconnect().join();
        TestClient passing = TestClient.connect(port, "passing", p -> {});
        assertThat(passing.subscribe("t", 1, null, null).join()).isEqualTo(new Answer(1, ""));
        TestClient publisher =
                started.add(TestClient.connect(Integer.parseInt(edge("other", 0).awaitReady()), "publisher", p -> {}));

        int sent = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            int dies = random.nextInt(PER_ROUND / 4, 3 * PER_ROUND / 4);
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            long next = System.nanoTime();
            for (int i = 0; i < PER_ROUND; i++, sent++) {
                if (i == dies) {
                    victim.kill();
                    victim = edge("victim", port);
                }
                answers.add(publisher.publish("t", 1 + sent % 2, String.valueOf(sent), neighbor()));
                next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
                LockSupport.parkNanos(next - System.nanoTime());
            }
            assertThat(answers).allSatisfy(answer -> assertThat(answer.get(60, TimeUnit.SECONDS))
                    .isEqualTo(new Answer(0, "")));
            victim.awaitReady();
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(
                        CompactedView.of(kafka, TOPICS.subscriptions()).keySet())
                .as("sessions without Session Expiry end with their edge")
                .noneMatch(key -> key.contains("passing"))
                .anyMatch(key -> key.contains("asleep")));
        int all = sent;
        await().atMost(SOON).until(() -> live.numbers().size() == all);
        asleep.connect();
        await().atMost(SOON).until(() -> asleep.numbers().size() == all);

        for (Session session : List.of(live, asleep)) {
            assertThat(session.numbers())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, all).boxed().toList());
            session.assertOrder();
            int repeats = session.received.size() - all;
            System.out.println("EdgeKillIT: " + session.id + " " + all + " publications, " + repeats + " repeats after "
                    + KILLS + " kills");
            assertThat(repeats).isLessThanOrEqualTo(KILLS * REPEATS_OF_A_KILL);
            session.assertRepeatsAreKnownByTheirId();
        }
    }

    private static String neighbor() {
        String zone = CITY.centralZone();
        return "zone/" + (Integer.parseInt(zone.substring("zone/".length())) + 1);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private ComponentProcess edge(String id, int port) {
        return started.add(ComponentProcess.edge(kafka, id, port, folder.resolve(id)));
    }

    /** A client with a session that outlives its connections, and a subscription from before all kills. */
    private final class Session {
        private final String id;
        private final List<Mqtt5Publish> received = new CopyOnWriteArrayList<>();
        private final Mqtt5AsyncClient client;

        Session(int port, String id) {
            this.id = id;
            this.client = TestClient.returning(port, id);
            started.add(() -> client.disconnect().exceptionally(e -> null).join());
            client.publishes(MqttGlobalPublishFilter.ALL, received::add);
            client.connectWith()
                    .cleanStart(true)
                    .sessionExpiryInterval(3_600)
                    .send()
                    .join();
            String descriptor = "{\"stages\":[{\"references\":[\"" + CITY.centralZone()
                    + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"touches\"}}]}";
            client.subscribe(Mqtt5Subscribe.builder()
                            .topicFilter("t")
                            .qos(MqttQos.EXACTLY_ONCE)
                            .userProperties(Mqtt5UserProperties.builder()
                                    .add("neighborhood", descriptor)
                                    .build())
                            .build())
                    .join();
        }

        void connect() {
            assertThat(client.connectWith()
                            .cleanStart(false)
                            .sessionExpiryInterval(3_600)
                            .send()
                            .join()
                            .isSessionPresent())
                    .isTrue();
        }

        /** Without repeats, in the order of their first coming. */
        Set<Integer> numbers() {
            Set<Integer> numbers = new java.util.LinkedHashSet<>();
            received.forEach(p -> numbers.add(number(p)));
            return numbers;
        }

        void assertOrder() {
            for (int qos = 1; qos <= 2; qos++) {
                int wanted = qos;
                Set<Integer> first = new HashSet<>();
                assertThat(received.stream()
                                .filter(p -> p.getQos().getCode() == wanted)
                                .map(this::number)
                                .filter(first::add))
                        .as(id + " at QoS " + qos)
                        .isSorted();
            }
        }

        void assertRepeatsAreKnownByTheirId() {
            Map<Integer, String> ids = new HashMap<>();
            for (Mqtt5Publish publish : received) {
                String publicationId = String.valueOf(TestClient.userProperty(publish, "publication-id"));
                assertThat(ids.merge(number(publish), publicationId, (one, other) -> one))
                        .isEqualTo(publicationId);
            }
        }

        private int number(Mqtt5Publish publish) {
            return Integer.parseInt(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8));
        }
    }
}
