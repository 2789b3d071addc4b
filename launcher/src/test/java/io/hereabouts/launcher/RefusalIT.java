package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input over a real connection to the whole stack: reason code, reason string, nothing left behind, still connected. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);

    private EmbeddedStack stack;
    private TestClient client;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "data", folder.toString(),
                        "kafka.port", "0",
                        "mqtt.port", "0",
                        "edge.strict-entities", "true"),
                Map.of());
        stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
        client = TestClient.connect(stack.mqttPort(), "client", p -> {});
        // something that must be there before and after
        assertThat(client.subscribe("kept/#", 1, CITY.oneStageDescriptor(), "kept")
                        .join())
                .isEqualTo(new Answer(1, ""));
    }

    @AfterAll
    void stop() {
        client.close();
        stack.close();
    }

    static Stream<Arguments> descriptors() {
        String stage = "\"categories\":[\"detector\"]";
        return Stream.of(
                Arguments.of("malformed JSON", "{\"stages\":[", "$: malformed JSON at line 1"),
                Arguments.of(
                        "unknown relation",
                        stages("{\"references\":[\"zone/1\"]," + stage + ",\"where\":{\"relation\":\"besides\"}}"),
                        "$.stages[0].where.relation: unknown relation"),
                Arguments.of(
                        "unknown reference",
                        stages("{\"references\":[\"zone/none\"]," + stage + "}"),
                        "$.stages[0].references: unknown entity 'zone/none'"),
                Arguments.of(
                        "negative distance",
                        stages("{\"references\":[\"zone/1\"]," + stage
                                + ",\"where\":{\"relation\":\"dwithin\",\"distance\":-1}}"),
                        "$.stages[0].where.distance: expected metres"),
                Arguments.of(
                        "NaN",
                        stages("{\"references\":[\"zone/1\"]," + stage
                                + ",\"where\":{\"relation\":\"dwithin\",\"distance\":NaN}}"),
                        "$: malformed JSON"),
                Arguments.of(
                        "stage cycle",
                        stages("{\"from\":[1]," + stage + "},{\"from\":[0]," + stage + "}"),
                        "$.stages[0].from[0]: expected the index of an earlier stage"),
                Arguments.of(
                        "no category",
                        stages("{\"references\":[\"zone/1\"],\"categories\":[]}"),
                        "$.stages[0].categories: expected at least 1 element"),
                Arguments.of(
                        "60 kB",
                        stages("{\"references\":[\"" + "z".repeat(60_000) + "\"]," + stage + "}"),
                        "the limit is 32768"));
    }

    private static String stages(String stages) {
        return "{\"stages\":[" + stages + "]}";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("descriptors")
    void shouldRefuseADescriptor(String name, String descriptor, String reason) {
        Map<String, Map<String, Integer>> before = dump();

        Answer answer = client.subscribe("refused/#", 1, descriptor, "refused").join();

        assertThat(answer.code()).isEqualTo(0x83);
        assertThat(answer.reason()).contains(reason);
        assertThat(client.isConnected()).isTrue();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(dump()).isEqualTo(before));
    }

    @Test
    void shouldRefuseASecondEntityAndAnUnknownOne() {
        Map<String, Map<String, Integer>> before = dump();

        Answer second = client.publish("a", 1, "x", "zone/1", "zone/2").join();
        Answer unknown = client.publish("a", 1, "x", "zone/none").join();
        Answer known = client.publish("a", 1, "x", "zone/1").join();

        assertThat(second.code()).isEqualTo(0x83);
        assertThat(second.reason()).contains("entity");
        assertThat(unknown.code()).isEqualTo(0x83);
        assertThat(unknown.reason()).contains("zone/none");
        assertThat(known).isEqualTo(new Answer(0, ""));
        assertThat(client.isConnected()).isTrue();
        assertThat(dump()).isEqualTo(before);
    }

    @Test
    void shouldRefuseHiddenTopics() {
        try (TestClient hostile = TestClient.connect(stack.mqttPort(), "hostile", p -> {})) {
            assertThat(hostile.subscribe("$hereabouts/#", 1, null, null).join().refused())
                    .isTrue();
            Answer published =
                    hostile.publish("$hereabouts/n/x/a", 1, "x", "zone/1").join();
            assertThat(published.refused()).isTrue();
        }
    }

    private Map<String, Map<String, Integer>> dump() {
        TopicCatalogue topics = stack.wiring().topics();
        return List.of(topics.interests(), topics.filters(), topics.subscriptions()).stream()
                .collect(Collectors.toMap(
                        topic -> topic, topic -> CompactedView.of(stack.wiring().kafka(), topic)));
    }
}
