package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.access.PasswordHash;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.entity.Category;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Oracle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The extension's zip in a HiveMQ CE that runs by itself, started by its own main class. */
class StandaloneHivemqIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final Duration START = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    void shouldServeNeighborhoodsBesideAnEmbeddedEdge() throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of("data", folder.resolve("stack").toString(), "kafka.port", "0", "mqtt.port", "0"),
                Map.of());
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
                StandaloneHivemq hivemq = StandaloneHivemq.install(
                        folder.resolve("hivemq"),
                        Map.of("kafka.bootstrap-servers", stack.kafkaServers(), "mqtt.allow-anonymous", "true"))) {
            awaitListening(hivemq);
            List<String> near = new CopyOnWriteArrayList<>();
            List<String> far = new CopyOnWriteArrayList<>();
            try (TestClient inside = TestClient.connect(hivemq.port(), "inside", p -> near.add(payload(p)));
                    TestClient outside = TestClient.connect(stack.mqttPort(), "outside", p -> far.add(payload(p)))) {
                String descriptor = CITY.twoStageDescriptor();
                assertThat(inside.subscribe("t/#", 1, descriptor, "n").join()).isEqualTo(new Answer(1, ""));
                assertThat(outside.subscribe("t/#", 1, descriptor, "n").join()).isEqualTo(new Answer(1, ""));

                List<String> detectors = CITY.entities().stream()
                        .filter(e -> e.isA(Category.of("detector")))
                        .map(e -> e.id().value())
                        .toList();
                for (String detector : detectors) {
                    assertThat(inside.publish("t/in", 1, detector, detector).join())
                            .isEqualTo(new Answer(0, ""));
                    assertThat(outside.publish("t/out", 1, detector, detector).join())
                            .isEqualTo(new Answer(0, ""));
                }

                List<String> expected = twice(new Oracle(CITY.entities(), List.of())
                        .resolve(new DescriptorParser(Settings.descriptorLimits(settings)).parse(descriptor)));
                assertThat(expected).isNotEmpty().hasSizeLessThan(detectors.size());
                await().atMost(START).untilAsserted(() -> {
                    assertThat(near).containsExactlyInAnyOrderElementsOf(expected);
                    assertThat(far).containsExactlyInAnyOrderElementsOf(expected);
                });

                Answer refused =
                        inside.subscribe("t/#", 1, "{\"stages\":[", "bad").join();
                assertThat(refused.code()).isEqualTo(0x83);
                assertThat(refused.reason()).contains("$: malformed JSON at line 1");
                assertThat(inside.isConnected()).isTrue();
            }
            assertThat(hivemq.log()).doesNotContain("HiveMQ's pipeline is not as");
            shouldKeepASessionWhileHivemqIsStopped(hivemq, stack);
        }
    }

    private static void shouldKeepASessionWhileHivemqIsStopped(StandaloneHivemq hivemq, EmbeddedStack stack)
            throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        Mqtt5BlockingClient sleeper = MqttClient.builder()
                .useMqttVersion5()
                .identifier("sleeper")
                .serverHost("127.0.0.1")
                .serverPort(hivemq.port())
                .buildBlocking();
        sleeper.toAsync().publishes(MqttGlobalPublishFilter.ALL, p -> received.add(payload(p)));
        sleeper.connectWith().sessionExpiryInterval(3_600).send();
        sleeper.subscribeWith().topicFilter("s").qos(MqttQos.EXACTLY_ONCE).send();
        sleeper.disconnect();
        hivemq.stop();
        try (TestClient publisher = TestClient.connect(stack.mqttPort(), "publisher", p -> {})) {
            for (int i = 0; i < 20; i++) {
                assertThat(publisher
                                .publish("s", 2, String.valueOf(i), "zone/1")
                                .join())
                        .isEqualTo(new Answer(0, ""));
            }
        }
        hivemq.restart();
        awaitListening(hivemq);
        assertThat(sleeper.connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(0)
                        .send()
                        .isSessionPresent())
                .isTrue();
        await().atMost(START).untilAsserted(() -> assertThat(received)
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(String::valueOf).toList()));
        sleeper.disconnect();
    }

    @Test
    void shouldNotOpenTheBrokerWithoutKafka() throws Exception {
        int kafkaPort = StandaloneHivemq.freePort();
        try (StandaloneHivemq hivemq = StandaloneHivemq.install(
                folder.resolve("hivemq"),
                Map.of(
                        "kafka.bootstrap-servers", "127.0.0.1:" + kafkaPort,
                        "mqtt.allow-anonymous", "true",
                        "kafka.start-timeout", "10s"))) {
            await().atMost(START).until(() -> {
                assertThat(hivemq.listens()).isFalse();
                return !hivemq.isRunning();
            });
            assertThat(hivemq.exitCode()).isEqualTo(1);
            assertThat(hivemq.log())
                    .contains("waits: Kafka at 127.0.0.1:" + kafkaPort + " does not answer")
                    .contains("HiveMQ ends because Hereabouts cannot start: Kafka at 127.0.0.1:" + kafkaPort);

            // what a supervisor then does: HiveMQ must not have marked the extension as disabled
            try (EmbeddedKafka kafka = EmbeddedKafka.launch(folder.resolve("kafka"), kafkaPort)) {
                TopicCatalogue topics = TopicCatalogue.withPartitions(12);
                try (TopicAdmin admin = new TopicAdmin(KafkaConnection.to(kafka.bootstrapServers()), topics)) {
                    admin.create(topics.fixed());
                }
                hivemq.restart();
                awaitListening(hivemq);
                try (TestClient client = TestClient.connect(hivemq.port(), "client", p -> {})) {
                    assertThat(client.publish("t", 1, "x", "zone/1").join()).isEqualTo(new Answer(0, ""));
                }
                hivemq.stop();
            }
        }
    }

    @Test
    void shouldEndAtOnceWhenItIsToldToWhileItWaitsForKafka() throws Exception {
        int kafkaPort = StandaloneHivemq.freePort();
        try (StandaloneHivemq hivemq = StandaloneHivemq.install(
                folder.resolve("hivemq"),
                Map.of("kafka.bootstrap-servers", "127.0.0.1:" + kafkaPort, "kafka.start-timeout", "10m"))) {
            await().atMost(START).until(() -> hivemq.log().contains("waits: Kafka at 127.0.0.1:" + kafkaPort));

            hivemq.stop();

            // 137 would be SIGKILL, after the patience of stop()
            assertThat(hivemq.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void shouldLetInWhomTheSecurityFileAdmitsAndNobodyElse() throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of("data", folder.resolve("stack").toString(), "kafka.port", "0", "mqtt.port", "0"),
                Map.of());
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry());
                StandaloneHivemq hivemq = StandaloneHivemq.install(
                        folder.resolve("hivemq"), Map.of("kafka.bootstrap-servers", stack.kafkaServers()))) {
            awaitListening(hivemq);
            assertThat(catchThrowable(() -> TestClient.connect(hivemq.port(), "client", p -> {})))
                    .hasMessageContaining("NOT_AUTHORIZED");

            hivemq.stop();
            Path file = Files.writeString(
                    folder.resolve("security.yaml"),
                    "users: {alice: {password: '" + PasswordHash.of("secret") + "', roles: [chat]}}\n"
                            + "roles: {chat: {publish: [{topics: chat/#}]}}\n");
            hivemq.set("security.file", file.toString());
            hivemq.restart();
            awaitListening(hivemq);
            assertThat(catchThrowable(() -> TestClient.connect(hivemq.port(), "client", p -> {})))
                    .hasMessageContaining("NOT_AUTHORIZED");
            Mqtt5BlockingClient alice = MqttClient.builder()
                    .useMqttVersion5()
                    .serverHost("127.0.0.1")
                    .serverPort(hivemq.port())
                    .simpleAuth()
                    .username("alice")
                    .password("secret".getBytes(StandardCharsets.UTF_8))
                    .applySimpleAuth()
                    .buildBlocking();
            alice.connect();
            alice.publishWith().topic("chat/x").qos(MqttQos.AT_LEAST_ONCE).send();
            assertThat(catchThrowable(() -> alice.publishWith()
                            .topic("traffic")
                            .qos(MqttQos.AT_LEAST_ONCE)
                            .send()))
                    .isInstanceOf(Mqtt5PubAckException.class);
        }
    }

    private static void awaitListening(StandaloneHivemq hivemq) {
        await().atMost(START).until(() -> {
            assertThat(hivemq.isRunning()).as("HiveMQ runs").isTrue();
            return hivemq.listens();
        });
    }

    private static List<String> twice(Iterable<String> ids) {
        List<String> all = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 2; i++) {
            ids.forEach(all::add);
        }
        return all;
    }

    private static String payload(Mqtt5Publish publish) {
        return new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }
}
