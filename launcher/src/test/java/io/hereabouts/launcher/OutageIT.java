package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
            assertThat(subscriber.subscribe("t", 1, descriptor, "n").join()).isEqualTo(new Answer(1, ""));
            String neighbor = "zone/" + (Integer.parseInt(entity.substring("zone/".length())) + 1);

            kafka.close();
            for (int i = 0; i < 5; i++) {
                try (TestClient publisher = TestClient.connect(stack.mqttPort(), "publisher-" + i, p -> {})) {
                    Answer answer = publisher.publish("t", 1, "away", neighbor).join();
                    assertThat(answer.refused()).as("%s", answer).isTrue();
                    assertThat(answer.code()).isEqualTo(0x97);
                    assertThat(answer.reason()).isNotBlank();
                }
            }

            kafka = EmbeddedKafka.launch(folder.resolve("kafka"), kafka.port());
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                try (TestClient publisher = TestClient.connect(stack.mqttPort(), "publisher", p -> {})) {
                    return publisher.publish("t", 1, "back", neighbor).join().code() == 0;
                }
            });
            await().atMost(Duration.ofMinutes(1)).until(() -> received.contains("back"));
        } finally {
            kafka.close();
        }
    }

    private StackSettings settings(Map<String, String> more) throws Exception {
        Map<String, String> all = new HashMap<>(more);
        all.put("data", folder.toString());
        all.put("mqtt.port", "0");
        return Settings.load(Optional.empty(), all, Map.of());
    }
}
