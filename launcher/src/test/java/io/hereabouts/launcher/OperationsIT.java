package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.ops.OpsEndpoint;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.process.Http;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What probes and Prometheus see of real processes, while all is well and while Kafka is away. */
class OperationsIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void shouldShowDeliveriesAndTurnRedWhileKafkaIsAway() throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.launch(folder.resolve("kafka"), 0);
        StackSettings settings = settings(Map.of(
                "kafka.bootstrap-servers", kafka.bootstrapServers(), "edge.publish-timeout", "3s", "http.port", "0"));
        ProcessHealth health = EmbeddedStack.health();
        try (OpsEndpoint endpoint = OpsEndpoint.open(OpsAddress.of(settings), health)) {
            Http http = new Http(endpoint.port());
            assertThat(http.get("/health/ready").body()).contains("edge", "has not started");
            try (EmbeddedStack stack = EmbeddedStack.launch(settings, endpoint.metrics(), CITY.entities(), health)) {
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(http.get("/health/ready").body()).contains("\"ready\":true"));
                publish(stack.mqttPort());

                await().atMost(SOON).untilAsserted(() -> {
                    Map<String, Double> metrics = http.metrics();
                    assertThat(metrics)
                            .containsEntry("hereabouts_edge_latency_seconds_count{qos=\"1\"}", 10.0)
                            .containsEntry("hereabouts_edge_latency_seconds_bucket{qos=\"1\",le=\"+Inf\"}", 10.0)
                            .containsEntry("hereabouts_edge_delivered_total{qos=\"1\"}", 10.0)
                            .containsEntry("hereabouts_edge_published_total{qos=\"1\"}", 10.0)
                            .containsEntry("hereabouts_router_publications_total", 10.0)
                            .containsEntry("hereabouts_router_partitions", 12.0)
                            .containsEntry("hereabouts_router_lag", 0.0);
                    assertThat(metrics.get("hereabouts_edge_latency_seconds_sum{qos=\"1\"}"))
                            .isBetween(0.0, 60.0);
                    assertThat(metrics.get("hereabouts_router_pairs")).isPositive();
                    assertThat(metrics.get("hereabouts_router_index_bytes")).isPositive();
                    assertThat(metrics.entrySet())
                            .anySatisfy(sample -> {
                                assertThat(sample.getKey()).startsWith("hereabouts_edge_lag{");
                                assertThat(sample.getValue()).isZero();
                            })
                            .anyMatch(sample -> sample.getKey().startsWith("jvm_memory_used_bytes{"));
                });

                kafka.close();
                await().atMost(SOON).untilAsserted(() -> assertThat(
                                http.get("/health/ready").body())
                        .contains("{\"component\":\"router\",\"state\":\"not_ready\"")
                        .contains("{\"component\":\"resolver\",\"state\":\"not_ready\"")
                        .contains("{\"component\":\"edge\",\"state\":\"not_ready\"")
                        .contains("Kafka at " + stack.kafkaServers() + " does not answer"));
                try (TestClient client = TestClient.connect(stack.mqttPort(), "away", p -> {})) {
                    assertThat(client.publish("t", 1, "x", CITY.centralZone())
                                    .join()
                                    .refused())
                            .isTrue();
                }
                await().atMost(SOON).untilAsserted(() -> assertThat(
                                http.get("/health/ready").body())
                        .contains("Kafka does not answer: publications with an entity are refused"));
                assertThat(http.status("/health/ready")).isEqualTo(503);
                assertThat(http.status("/health/live")).isEqualTo(200);

                kafka = EmbeddedKafka.launch(folder.resolve("kafka"), kafka.port());
                await().atMost(SOON).until(() -> http.status("/health/ready") == 200);
            }
        } finally {
            kafka.close();
        }
    }

    private static void publish(int port) throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        String entity = CITY.centralZone();
        String descriptor = "{\"stages\":[{\"references\":[\"" + entity
                + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"touches\"}}]}";
        String neighbor = "zone/" + (Integer.parseInt(entity.substring("zone/".length())) + 1);
        try (TestClient client = TestClient.connect(port, "client", p -> received.add("one"))) {
            assertThat(client.subscribe("t", 1, descriptor, "n").join()).isEqualTo(new Answer(1, ""));
            for (int i = 0; i < 10; i++) {
                assertThat(client.publish("t", 1, "x", neighbor).join()).isEqualTo(new Answer(0, ""));
            }
            await().atMost(SOON).until(() -> received.size() == 10);
        }
    }

    @Test
    void shouldStartBeforeKafkaAndItsTopicsAndStopCleanly() throws Exception {
        int kafkaPort = freePort();
        int httpPort = freePort();
        KafkaConnection kafka = KafkaConnection.to("127.0.0.1:" + kafkaPort);
        Http http = new Http(httpPort);
        try (ComponentProcess router = ComponentProcess.start(
                "router",
                Map.of("kafka.bootstrap-servers", kafka.bootstrapServers(), "http.port", String.valueOf(httpPort)))) {
            await().atMost(SOON).until(() -> http.status("/health/ready") == 503);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(http.get("/health/ready").body())
                            .contains("Kafka at 127.0.0.1:" + kafkaPort + " does not answer"));
            assertThat(http.status("/health/live")).isEqualTo(200);

            try (EmbeddedKafka started = EmbeddedKafka.launch(folder.resolve("kafka"), kafkaPort)) {
                await().atMost(SOON).untilAsserted(() -> assertThat(
                                http.get("/health/ready").body())
                        .contains("hereabouts.publications", "run 'hereabouts topics init'"));
                StackSettings settings = settings(Map.of("kafka.bootstrap-servers", started.bootstrapServers()));
                try (TopicAdmin admin = new TopicAdmin(kafka, Settings.topics(settings))) {
                    admin.create(Settings.topics(settings).fixed());
                }
                router.awaitReady();
                assertThat(http.status("/health/ready")).isEqualTo(200);
                assertThat(http.metrics()).containsEntry("hereabouts_router_partitions", 12.0);

                assertThat(router.terminate(Duration.ofSeconds(30)))
                        .as("128 + SIGTERM")
                        .isEqualTo(143);
                assertThat(http.status("/health/live")).isZero();
            }
        }
    }

    @Test
    void shouldGiveUpWhenKafkaDoesNotComeOrThePortIsTaken() throws Exception {
        StackSettings settings = settings(
                Map.of("kafka.bootstrap-servers", "127.0.0.1:1", "kafka.start-timeout", "1s", "http.port", "0"));
        List<String> waits = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> Component.start(Component.Kind.ROUTER, settings, waits::add))
                .isInstanceOf(StartException.class)
                .hasMessage("router did not start: Kafka at 127.0.0.1:1 does not answer; waited 1 s");
        assertThat(waits).containsExactly("Kafka at 127.0.0.1:1 does not answer");

        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            StackSettings same = settings(Map.of(
                    "kafka.bootstrap-servers", "127.0.0.1:1", "http.port", String.valueOf(taken.getLocalPort())));
            assertThatThrownBy(() -> Component.start(Component.Kind.EDGE, same, waits::add))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("http.port");
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private StackSettings settings(Map<String, String> more) throws Exception {
        Map<String, String> all = new HashMap<>(more);
        all.put("data", folder.toString());
        all.put("mqtt.port", "0");
        return Settings.load(Optional.empty(), all, Map.of());
    }
}
