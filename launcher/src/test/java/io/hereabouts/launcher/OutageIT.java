package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClientState;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.hereabouts.testkit.process.CutableProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients are told while PostGIS or Kafka is away, and that it works again afterwards without a human. */
class OutageIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);

    @TempDir
    Path folder;

    @Test
    void shouldRefuseNewNeighborhoodsWhilePostgisIsAway() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (CutableProxy proxy = CutableProxy.to(database.host(), database.port())) {
            StackSettings settings = settings(Map.of(
                    "kafka.port",
                    "0",
                    "world.kind",
                    "postgis",
                    "world.postgis.url",
                    "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database.name(),
                    "world.postgis.user",
                    database.user(),
                    "world.postgis.password",
                    database.password()));
            try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
                    TestClient client = TestClient.connect(stack.mqttPort(), "client", p -> {})) {
                assertThat(client.subscribe("t/#", 1, CITY.oneStageDescriptor(), "one")
                                .join())
                        .isEqualTo(new Answer(1, ""));
                Map<String, Integer> before = CompactedView.of(
                        stack.wiring().kafka(), stack.wiring().topics().filters());

                proxy.cut();
                Answer answer = client.subscribe("t/#", 1, CITY.twoStageDescriptor(), "two")
                        .join();

                assertThat(answer.code()).isEqualTo(0x97);
                assertThat(answer.reason()).isNotBlank();
                assertThat(client.isConnected()).isTrue();
                await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(CompactedView.of(
                                stack.wiring().kafka(), stack.wiring().topics().filters()))
                        .isEqualTo(before));

                proxy.mend();
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> client.subscribe("t/#", 1, CITY.twoStageDescriptor(), "two")
                                        .join()
                                        .code()
                                == 1);
            }
        }
    }

    @Test
    void shouldNeverAcknowledgeWhatKafkaDoesNotHaveAndGoOnAfterwards() throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.launch(folder.resolve("kafka"), 0);
        StackSettings settings =
                settings(Map.of("kafka.bootstrap-servers", kafka.bootstrapServers(), "edge.publish-timeout", "3s"));
        List<String> received = new CopyOnWriteArrayList<>();
        String entity = CITY.centralZone();
        String descriptor = "{\"stages\":[{\"references\":[\"" + entity
                + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"touches\"}}]}";
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
                TestClient subscriber = TestClient.connect(
                        stack.mqttPort(),
                        "subscriber",
                        p -> received.add(new String(p.getPayloadAsBytes(), StandardCharsets.UTF_8)))) {
            assertThat(subscriber.subscribe("t", 2, descriptor, "n").join()).isEqualTo(new Answer(2, ""));
            String neighbor = "zone/" + (Integer.parseInt(entity.substring("zone/".length())) + 1);

            Mqtt5AsyncClient exact = Mqtt5Client.builder()
                    .identifier("exact")
                    .serverHost("127.0.0.1")
                    .serverPort(stack.mqttPort())
                    .buildAsync();
            resume(exact);

            kafka.close();
            CompletableFuture<Mqtt5PublishResult> once = publishExactlyOnce(exact, "once", neighbor);
            for (int attempt = 0; attempt < 2; attempt++) {
                await().atMost(Duration.ofSeconds(20)).until(() -> exact.getState() == MqttClientState.DISCONNECTED);
                // it sends the PUBLISH again, which HiveMQ would answer with success
                resume(exact);
            }
            assertThat(once).as("no PUBREC").isNotDone();
            for (int i = 0; i < 5; i++) {
                try (TestClient publisher = TestClient.connect(stack.mqttPort(), "publisher-" + i, p -> {})) {
                    Answer answer = publisher.publish("t", 1, "away", neighbor).join();
                    assertThat(answer.refused()).as("%s", answer).isTrue();
                    assertThat(answer.code()).isEqualTo(0x97);
                    assertThat(answer.reason()).isNotBlank();
                }
            }

            Mqtt5AsyncClient late = Mqtt5Client.builder()
                    .identifier("late")
                    .serverHost("127.0.0.1")
                    .serverPort(stack.mqttPort())
                    .buildAsync();
            resume(late);
            CompletableFuture<Mqtt5PublishResult> onceLate = publishExactlyOnce(late, "once, late", neighbor);
            await().atMost(Duration.ofSeconds(20)).until(() -> late.getState() == MqttClientState.DISCONNECTED);

            kafka = EmbeddedKafka.launch(folder.resolve("kafka"), kafka.port());
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                try (TestClient publisher = TestClient.connect(stack.mqttPort(), "publisher", p -> {})) {
                    return publisher.publish("t", 1, "back", neighbor).join().code() == 0;
                }
            });
            await().atMost(Duration.ofMinutes(1)).until(() -> received.contains("back"));
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                if (exact.getState() == MqttClientState.DISCONNECTED) {
                    resume(exact);
                }
                return once.isDone();
            });
            assertThat(once.join().getError()).isEmpty();
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                if (late.getState() == MqttClientState.DISCONNECTED) {
                    resume(late);
                }
                return onceLate.isDone();
            });
            assertThat(onceLate.join().getError()).isEmpty();
            TestClient last = TestClient.connect(stack.mqttPort(), "last", p -> {});
            assertThat(last.publish("t", 2, "last", neighbor).join().code()).isZero();
            await().until(() -> received.contains("last"));
            assertThat(received).as("exactly once").containsOnlyOnce("once", "once, late");
            late.disconnectWith().sessionExpiryInterval(0).send().join();
            last.close();
            exact.disconnectWith().sessionExpiryInterval(0).send().join();
        } finally {
            kafka.close();
        }
    }

    private static CompletableFuture<Mqtt5PublishResult> publishExactlyOnce(
            Mqtt5AsyncClient client, String payload, String entity) {
        return client.publish(Mqtt5Publish.builder()
                .topic("t")
                .qos(MqttQos.EXACTLY_ONCE)
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .userProperties(
                        Mqtt5UserProperties.builder().add("entity", entity).build())
                .build());
    }

    private static void resume(Mqtt5AsyncClient client) {
        client.connectWith().cleanStart(false).sessionExpiryInterval(600).send().join();
    }

    private StackSettings settings(Map<String, String> more) throws Exception {
        Map<String, String> all = new HashMap<>(more);
        all.put("data", folder.toString());
        all.put("mqtt.port", "0");
        return Settings.load(Optional.empty(), all, Map.of());
    }
}
