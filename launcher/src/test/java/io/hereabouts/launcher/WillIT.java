package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5WillPublish;
import io.hereabouts.bridge.Edge;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Wills about entities, from clients of one edge to subscribers of another. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WillIT {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final long FOREVER = 0xFFFF_FFFFL;

    @TempDir
    static Path folder;

    private final Started ofTest = new Started();
    private TwoEdges stack;
    private String topic = "";
    private List<Mqtt5Publish> heard = new CopyOnWriteArrayList<>();

    @BeforeAll
    void startStack() throws Exception {
        stack = new TwoEdges(folder);
    }

    @AfterAll
    void stopStack() {
        stack.close();
    }

    /** Somebody at the other edge whose neighborhood has the entity in it. */
    @BeforeEach
    void listen(TestInfo test) {
        stack.line.mend();
        topic = "wills/" + test.getDisplayName().replaceAll("[^A-Za-z]", "");
        heard = new CopyOnWriteArrayList<>();
        TestClient listener = ofTest.add(TestClient.connect(stack.west.port(), "listener", heard::add));
        assertThat(listener.subscribe(topic, 2, TwoEdges.neighborhood(), "here").join())
                .isEqualTo(new Answer(2, ""));
    }

    @AfterEach
    void leave() {
        ofTest.close();
    }

    private List<String> heard() {
        return heard.stream().map(TwoEdges::text).toList();
    }

    private Mqtt5WillPublish will(String payload, long delaySeconds) {
        return Mqtt5WillPublish.builder()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .userProperties(Mqtt5UserProperties.of(Mqtt5UserProperty.of("entity", TwoEdges.neighbor())))
                .delayInterval(delaySeconds)
                .build();
    }

    private Mqtt5AsyncClient connect(int port, String id, Mqtt5WillPublish will, boolean cleanStart, long expiry) {
        Mqtt5AsyncClient client = TwoEdges.client(port, id);
        client.connect(Mqtt5Connect.builder()
                        .cleanStart(cleanStart)
                        .sessionExpiryInterval(expiry)
                        .willPublish(will)
                        .build())
                .join();
        return client;
    }

    /** What is published now comes behind what was published before. */
    private void assertHeardOnly(String... wills) {
        TestClient marker = ofTest.add(TestClient.connect(stack.east.port(), "marker-" + topic.hashCode(), p -> {}));
        assertThat(marker.publish(topic, 1, "marker", TwoEdges.neighbor()).join())
                .isEqualTo(new Answer(0, ""));
        await().atMost(SOON).until(() -> heard().contains("marker"));
        assertThat(heard())
                .containsExactlyInAnyOrderElementsOf(java.util.stream.Stream.concat(
                                java.util.stream.Stream.of(wills), java.util.stream.Stream.of("marker"))
                        .toList());
        heard.clear();
    }

    /** A plain SUBACK does not wait for routers. */
    private boolean hasPlainInterest() {
        return CompactedView.of(stack.kafka, TwoEdges.TOPICS.filters()).keySet().stream()
                .anyMatch(key -> key.contains("I|*|" + topic + "|east"));
    }

    private void assertNoneKept() {
        await().atMost(SOON).until(() -> keptFor("").isEmpty());
    }

    private List<String> keptFor(String client) {
        return CompactedView.of(stack.kafka, TwoEdges.TOPICS.wills()).keySet().stream()
                .filter(key -> key.contains(client))
                .toList();
    }

    @Test
    void shouldPublishTheWillOfALostConnectionAsItWasAsked() {
        Mqtt5AsyncClient plain = TwoEdges.client(stack.east.port(), "plain");
        List<String> plainly = TwoEdges.received(plain);
        plain.connect().join();
        plain.subscribeWith()
                .topicFilter(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .send()
                .join();
        await().atMost(SOON).until(() -> hasPlainInterest());
        for (MqttQos qos : MqttQos.values()) {
            TwoEdges.client(stack.line.port(), "mourner")
                    .connect(Mqtt5Connect.builder()
                            .willPublish(Mqtt5WillPublish.builder()
                                    .topic(topic)
                                    .qos(qos)
                                    .payload("gone".getBytes(StandardCharsets.UTF_8))
                                    .contentType("text/plain")
                                    .responseTopic("answers")
                                    .correlationData(new byte[] {7})
                                    .messageExpiryInterval(500)
                                    .userProperties(Mqtt5UserProperties.of(
                                            Mqtt5UserProperty.of("k", "1"),
                                            Mqtt5UserProperty.of("entity", TwoEdges.neighbor()),
                                            Mqtt5UserProperty.of("publication-id", "forged"),
                                            Mqtt5UserProperty.of("k", "2")))
                                    .build())
                            .build())
                    .join();
            assertThat(keptFor("mourner"))
                    .as("in Kafka when the client hears of it")
                    .hasSize(1);

            stack.line.cut();

            await().atMost(SOON).until(() -> !heard.isEmpty());
            Mqtt5Publish will = heard.get(0);
            assertThat(TwoEdges.text(will)).isEqualTo("gone");
            assertThat(will.getQos()).isEqualTo(qos);
            assertThat(will.getContentType().orElseThrow()).hasToString("text/plain");
            assertThat(will.getResponseTopic().orElseThrow()).hasToString("answers");
            assertThat(will.getCorrelationData()).contains(ByteBuffer.wrap(new byte[] {7}));
            assertThat(will.getMessageExpiryInterval().orElseThrow()).isBetween(490L, 500L);
            assertThat(will.isRetain()).isFalse();
            assertThat(will.getUserProperties().asList().stream()
                            .map(p -> p.getName() + "=" + p.getValue())
                            .toList())
                    .contains("k=1", "k=2", "entity=" + TwoEdges.neighbor(), "neighborhood-id=here")
                    .doesNotContain("publication-id=forged");
            stack.line.mend();
            assertHeardOnly("gone");
            await().atMost(SOON).until(() -> plainly.contains("marker"));
            assertThat(plainly)
                    .as("once, by the edge, and not by the broker besides")
                    .containsExactlyInAnyOrder("gone", "marker");
            plainly.clear();
            assertNoneKept();
        }
    }

    @Test
    void shouldKeepSilentWhenTheClientSaysThatItGoesAndSpeakWhenItWantsThat() {
        Mqtt5AsyncClient polite = connect(stack.east.port(), "polite", will("not this", 0), true, 0);
        polite.disconnect().join();
        assertNoneKept();
        assertHeardOnly();

        Mqtt5AsyncClient frank = connect(stack.east.port(), "frank", will("as I said", 0), true, 0);
        frank.disconnectWith()
                .reasonCode(Mqtt5DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE)
                .send()
                .join();
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("as I said"));
        assertNoneKept();
    }

    /** Nobody closes anything: the edge hears nothing for one and a half keep-alives. */
    @Test
    void shouldPublishWhenTheKeepAliveRunsOut() {
        Mqtt5AsyncClient silent = TwoEdges.client(stack.line.port(), "silent");
        silent.connect(Mqtt5Connect.builder()
                        .keepAlive(1)
                        .willPublish(will("silent", 0))
                        .build())
                .join();
        stack.line.silence();
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("silent"));
        stack.line.cut();
    }

    @Test
    void shouldWaitForTheDelayOrTheEndOfTheSessionAndForgetItWhenTheClientReturns() {
        connect(stack.line.port(), "returns", will("returned", 3600), true, FOREVER);
        stack.line.cut();
        assertThat(keptFor("returns")).as("kept while it waits").hasSize(1);
        stack.line.mend();
        Mqtt5AsyncClient returned = TwoEdges.client(stack.line.port(), "returns");
        assertThat(returned.connect(Mqtt5Connect.builder()
                                .cleanStart(false)
                                .sessionExpiryInterval(0)
                                .build())
                        .join()
                        .isSessionPresent())
                .isTrue();
        assertNoneKept();
        assertHeardOnly();

        long start = System.nanoTime();
        connect(stack.line.port(), "delayed", will("after the delay", 2), true, FOREVER);
        connect(stack.line.port(), "expires", will("with the session", 3600), true, 1);
        connect(stack.line.port(), "anew", will("before the new one", 3600), true, FOREVER);
        stack.line.cut();
        await().atMost(SOON).until(() -> heard().contains("after the delay"));
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(2_000);
        await().atMost(SOON).until(() -> heard().contains("with the session"));
        assertThat(heard()).doesNotContain("before the new one");
        Mqtt5AsyncClient anew = TwoEdges.client(stack.east.port(), "anew");
        anew.connect(Mqtt5Connect.builder().cleanStart(true).build()).join();
        await().atMost(SOON).until(() -> heard().contains("before the new one"));
        anew.disconnect().join();
        assertNoneKept();
        stack.line.mend();
        assertHeardOnly("after the delay", "with the session", "before the new one");
    }

    @Test
    void shouldPublishTheWillOfAConnectionThatIsTakenOver() {
        connect(stack.east.port(), "twin", will("first", 0), true, FOREVER);
        connect(stack.east.port(), "twin", will("second", 3600), false, FOREVER);
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("first"));
        connect(stack.east.port(), "twin", will("third", 3600), false, FOREVER);
        await().atMost(SOON).until(() -> keptFor("twin").size() == 1);
        Mqtt5AsyncClient last = connect(stack.east.port(), "twin", will("fourth", 0), true, 0);
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("first", "third"));
        last.disconnect().join();
        assertNoneKept();
        assertHeardOnly("first", "third");
    }

    /** What a client library does that is none of the project's. */
    @Test
    void shouldPublishTheWillOfMosquittoThatIsKilled() throws Exception {
        Process mosquitto = new ProcessBuilder(
                        "mosquitto_sub",
                        "-V",
                        "5",
                        "-p",
                        String.valueOf(stack.east.port()),
                        "-t",
                        "nothing",
                        "-i",
                        "mosquitto",
                        "--will-topic",
                        topic,
                        "--will-payload",
                        "killed",
                        "--will-qos",
                        "1",
                        "-D",
                        "will",
                        "user-property",
                        "entity",
                        TwoEdges.neighbor())
                .inheritIO()
                .start();
        await().atMost(SOON).until(() -> keptFor("mosquitto").size() == 1);
        await().atMost(SOON)
                .until(() -> CompactedView.of(stack.kafka, TwoEdges.TOPICS.subscriptions()).keySet().stream()
                        .anyMatch(key -> key.contains("mosquitto")));
        mosquitto.destroyForcibly().waitFor();
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("killed"));
        assertNoneKept();
    }

    private Mqtt5WillPublish retained(String payload, MqttQos qos) {
        return Mqtt5WillPublish.builder()
                .topic(topic)
                .qos(qos)
                .retain(true)
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .userProperties(Mqtt5UserProperties.of(Mqtt5UserProperty.of("entity", TwoEdges.neighbor())))
                .build();
    }

    /** Whoever comes now is handed just that. */
    private void assertRetained(String... payloads) {
        await().atMost(SOON).untilAsserted(() -> {
            List<Mqtt5Publish> received = new CopyOnWriteArrayList<>();
            try (TestClient late = TestClient.connect(stack.west.port(), "late", received::add)) {
                assertThat(late.subscribe(topic, 1, TwoEdges.neighborhood(), "here")
                                .join())
                        .isEqualTo(new Answer(1, ""));
                await().atMost(Duration.ofSeconds(5))
                        .untilAsserted(() ->
                                assertThat(received).extracting(TwoEdges::text).containsExactly(payloads));
                assertThat(received).allMatch(Mqtt5Publish::isRetain);
            }
        });
    }

    @Test
    void shouldRetainAWillThatSaysSoAndClearByAnEmptyOne() {
        for (MqttQos qos : MqttQos.values()) {
            connect(stack.line.port(), "retains", retained("gone at " + qos, qos), true, 0);
            stack.line.cut();
            await().atMost(SOON).until(() -> heard().contains("gone at " + qos));
            stack.line.mend();
            assertRetained("gone at " + qos);
        }
        connect(stack.line.port(), "clears", retained("", MqttQos.AT_LEAST_ONCE), true, 0);
        stack.line.cut();
        await().atMost(SOON).until(() -> heard().contains(""));
        stack.line.mend();
        assertNothingRetained();
        assertNoneKept();
    }

    @Test
    void shouldRetainTheWillOfAnEdgeThatIsKilled() throws Exception {
        double removed = stack.count("hereabouts.resolver.edges", "outcome", "removed");
        ComponentProcess edge = stack.process("killed-retaining");
        connect(
                Integer.parseInt(edge.awaitReady()),
                "retains-there",
                retained("edge gone", MqttQos.AT_LEAST_ONCE),
                true,
                0);
        edge.kill();
        await().atMost(SOON).until(() -> heard().contains("edge gone"));
        assertRetained("edge gone");
        await().atMost(SOON).until(() -> stack.count("hereabouts.resolver.edges", "outcome", "removed") > removed);
    }

    private void assertNothingRetained() {
        await().atMost(SOON).until(() -> CompactedView.of(stack.kafka, TwoEdges.TOPICS.retained()).keySet().stream()
                .noneMatch(key -> key.contains(topic)));
    }

    @Test
    void shouldPublishTheWillsOfAnEdgeThatStops() {
        Edge stops = stack.edge("stops", stack.kafka);
        connect(stops.port(), "connected", will("connected", 0), true, 0);
        connect(stops.port(), "patient", will("patient", 3600), true, FOREVER);
        stops.close();
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactlyInAnyOrder("connected", "patient"));
        assertNoneKept();
    }

    @Test
    void shouldPublishTheWillsOfAnEdgeThatIsKilledWhenItIsGoneOrWhenItReturns() throws Exception {
        double wills = stack.count("hereabouts.resolver.wills");
        double removed = stack.count("hereabouts.resolver.edges", "outcome", "removed");
        ComponentProcess gone = stack.process("gone");
        int gonePort = Integer.parseInt(gone.awaitReady());
        connect(gonePort, "of-gone", will("gone", 0), true, 0);
        gone.kill();
        assertThat(keptFor("of-gone")).hasSize(1);
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("gone"));
        await().atMost(SOON).until(() -> stack.count("hereabouts.resolver.wills") == wills + 1);
        await().atMost(SOON).until(() -> stack.count("hereabouts.resolver.edges", "outcome", "removed") == removed + 1);
        assertNoneKept();
        assertHeardOnly("gone");

        ComponentProcess returns = stack.process("returns");
        connect(Integer.parseInt(returns.awaitReady()), "of-returns", will("while away", 3600), true, FOREVER);
        returns.kill();
        ComponentProcess again = stack.process("returns");
        again.awaitReady();
        await().atMost(SOON).untilAsserted(() -> assertThat(heard()).containsExactly("while away"));
        assertNoneKept();
        assertHeardOnly("while away");
    }
}
