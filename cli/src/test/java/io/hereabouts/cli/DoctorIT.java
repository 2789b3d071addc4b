package io.hereabouts.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.launcher.Component;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.settings.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code doctor} says of a real system with one part after the other broken. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorIT {

    private Path folder = Path.of("");
    private EmbeddedKafka kafka;
    private Component resolver;
    private Component router;
    private Component edge;
    private int mqttPort;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        kafka = EmbeddedKafka.launch(folder.resolve("kafka"), 0);
        assertThat(run("topics", "init").code()).isZero();
        resolver = component(Component.Kind.RESOLVER);
        router = component(Component.Kind.ROUTER);
        edge = component(Component.Kind.EDGE);
        mqttPort = edge.mqttPort().orElseThrow();
    }

    @AfterAll
    void stop() {
        edge.close();
        router.close();
        resolver.close();
        kafka.close();
    }

    @Test
    @Order(1)
    void shouldBeGreenOnAnEmptyWorld() throws Exception {
        assertThat(doctor(0))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "kafka", "OK",
                        "topics", "OK",
                        "world", "OK",
                        "edge", "OK",
                        "resolver", "OK",
                        "router", "OK",
                        "round trip", "SKIPPED"));
    }

    @Test
    @Order(2)
    void shouldMakeAWholeRoundTripAndLeaveNothingBehind() throws Exception {
        assertThat(run("world", "generate").code()).isZero();

        Result text = run("doctor", "-p", String.valueOf(mqttPort));

        assertThat(text.code()).as(text.out()).isZero();
        assertThat(text.out().lines()).hasSize(7).allMatch(line -> line.startsWith("ok"));
        assertThat(text.out())
                .containsPattern("round trip +SUBACK after [0-9.]+ ms, publication back after [0-9.]+ ms");
        await().untilAsserted(() -> assertThat(metrics(edge))
                .containsPattern("hereabouts_edge_subscriptions\\{[^}]*} 0.0")
                .containsPattern("hereabouts_edge_interests\\{[^}]*} 0.0"));
    }

    @Test
    @Order(3)
    void shouldExplainWhyAClientGetsAPublicationOrDoesNot() throws Exception {
        Mqtt5BlockingClient client = Mqtt5Client.builder()
                .identifier("explained")
                .serverHost("127.0.0.1")
                .serverPort(mqttPort)
                .buildBlocking();
        client.connect();
        client.subscribe(Mqtt5Subscribe.builder()
                .topicFilter("t/#")
                .userProperties(Mqtt5UserProperties.builder()
                        .add(
                                "neighborhood",
                                "{\"stages\":[{\"references\":[\"zone/1\"],\"categories\":[\"zone\"],"
                                        + "\"where\":{\"relation\":\"touches\"}}]}")
                        .add("neighborhood-id", "beside")
                        .build())
                .build());

        // routers commit every second
        await().untilAsserted(() -> {
            Result gets = explain("--client", "explained", "--entity", "zone/2", "--topic", "t/x");
            assertThat(gets.out())
                    .startsWith("t/#, neighborhood beside, on edge ")
                    .contains("zone/2 is one", "0 publications of the partition are not routed yet")
                    .contains("/clients: connected, 1 active subscriptions, 0 deliveries not acknowledged, 0 waiting")
                    .contains("last dropped: none")
                    .doesNotContain("BUT");
            assertThat(gets.code()).isZero();
        });
        Result other = explain("--client", "explained", "--entity", "zone/2", "--topic", "elsewhere");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out().lines().filter(line -> line.contains("BUT")))
                .singleElement()
                .asString()
                .contains("topic filter t/# does not match elsewhere");
        // far from zone 1, and in the partition in which the neighborhood has zone 2
        String far = IntStream.iterate(50, n -> n + 1)
                .mapToObj(n -> "zone/" + n)
                .filter(zone -> partition(zone) == partition("zone/2"))
                .findFirst()
                .orElseThrow();
        Result outside = explain("--client", "explained", "--entity", far);
        assertThat(outside.code()).isEqualTo(1);
        assertThat(outside.out()).contains(far + " is none");
        Result nobody = explain("--client", "nobody", "--entity", "zone/2", "--json");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.out().strip()).isEqualTo("{\"subscriptions\":[],\"edge\":null}");
        assertThat(run("explain", "--client", "nobody", "--entity", "zone/2", "--edge-http", "127.0.0.1:1")
                        .out())
                .contains("http://127.0.0.1:1/clients does not answer");
        client.disconnect();
    }

    private Result explain(String... args) {
        List<String> all = new ArrayList<>(List.of("explain", "--edge-http", "127.0.0.1:" + edge.httpPort()));
        all.addAll(List.of(args));
        return run(all.toArray(String[]::new));
    }

    private static int partition(String entity) {
        return Partitions.partitionOf(EntityId.of(entity), 12);
    }

    @Test
    @Order(4)
    void shouldSayWhichTopicsAreMissing() throws Exception {
        Result other = run("doctor", "-p", String.valueOf(mqttPort), "--set", "topics.prefix=other.");

        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out())
                .containsPattern(
                        "(?m)^FAILED +topics +other.publications: missing; create it with 'hereabouts topics init'")
                .containsPattern("(?m)^ok +router ");
    }

    @Test
    @Order(5)
    void shouldSayThatTheRouterIsDown() throws Exception {
        router.close();

        assertThat(doctor(1))
                .containsEntry("resolver", "OK")
                .containsEntry("router", "FAILED")
                .containsEntry("round trip", "SKIPPED");

        router = component(Component.Kind.ROUTER);
        assertThat(doctor(0)).containsEntry("router", "OK").containsEntry("round trip", "OK");
    }

    @Test
    @Order(6)
    void shouldSayThatTheResolverIsDown() throws Exception {
        resolver.close();

        assertThat(doctor(1))
                .containsEntry("edge", "OK")
                .containsEntry("resolver", "FAILED")
                .containsEntry("router", "SKIPPED");

        resolver = component(Component.Kind.RESOLVER);
        assertThat(doctor(0)).containsEntry("resolver", "OK");
    }

    @Test
    @Order(7)
    void shouldSayThatTheEdgeIsDown() throws Exception {
        edge.close();

        assertThat(doctor(1))
                .containsEntry("topics", "OK")
                .containsEntry("edge", "FAILED")
                .containsEntry("resolver", "SKIPPED");
    }

    @Test
    @Order(8)
    void shouldSayThatKafkaIsDown() throws Exception {
        kafka.close();

        assertThat(doctor(1)).containsEntry("kafka", "FAILED").containsEntry("topics", "SKIPPED");
    }

    /** What a command did. */
    private record Result(int code, String out, String err) {}

    /** The state of each check. */
    private Map<String, String> doctor(int expectedCode) throws Exception {
        Result result = run("doctor", "-p", String.valueOf(mqttPort), "--json");
        assertThat(result.code()).as(result.out() + result.err()).isEqualTo(expectedCode);
        Map<String, String> states = new HashMap<>();
        for (JsonNode check : new ObjectMapper().readTree(result.out())) {
            states.put(check.path("name").asText(), check.path("state").asText());
        }
        return states;
    }

    private Component component(Component.Kind kind) throws Exception {
        return Component.start(
                kind,
                Settings.load(
                        Optional.empty(),
                        Map.of(
                                "data",
                                folder.toString(),
                                "kafka.bootstrap-servers",
                                kafka.bootstrapServers(),
                                "edge.subscribe-timeout",
                                "5s",
                                "mqtt.port",
                                "0",
                                "http.port",
                                "0"),
                        Map.of()),
                System.err::println);
    }

    private static String metrics(Component component) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + component.httpPort() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private Result run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--kafka", kafka.bootstrapServers()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Hereabouts.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        int code = command.execute(all.toArray(String[]::new));
        return new Result(code, out.toString(), err.toString());
    }
}
