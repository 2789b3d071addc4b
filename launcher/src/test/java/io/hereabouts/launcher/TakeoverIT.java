package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A client id that connects to one edge after the other: one session, where it connected last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TakeoverIT {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final long FOREVER = 0xFFFF_FFFFL;

    @TempDir
    static Path folder;

    private TwoEdges stack;

    @BeforeAll
    void startStack() throws Exception {
        stack = new TwoEdges(folder);
    }

    @AfterAll
    void stopStack() {
        stack.close();
    }

    /** A client with a session that lasts, what it is handed, and the DISCONNECT that it gets. */
    private static final class Roamer {
        final List<String> received;
        final CompletableFuture<Mqtt5Disconnect> disconnected = new CompletableFuture<>();
        final Mqtt5AsyncClient client;
        final boolean sessionPresent;

        Roamer(int port, String id) {
            client = Mqtt5Client.builder()
                    .identifier(id)
                    .serverHost("127.0.0.1")
                    .serverPort(port)
                    .addDisconnectedListener(context -> {
                        if (context.getCause() instanceof Mqtt5DisconnectException said) {
                            disconnected.complete(said.getMqttMessage());
                        }
                    })
                    .buildAsync();
            received = TwoEdges.received(client);
            sessionPresent = client.connect(Mqtt5Connect.builder()
                            .cleanStart(false)
                            .sessionExpiryInterval(FOREVER)
                            .build())
                    .join()
                    .isSessionPresent();
        }

        void subscribe(String topic) {
            client.subscribeWith()
                    .topicFilter(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .userProperties(Mqtt5UserProperties.of(
                            Mqtt5UserProperty.of("neighborhood", TwoEdges.neighborhood()),
                            Mqtt5UserProperty.of("neighborhood-id", "here")))
                    .send()
                    .join();
        }

        void assertTakenOverBy(String edge) throws Exception {
            Mqtt5Disconnect said = disconnected.get(60, TimeUnit.SECONDS);
            assertThat(said.getReasonCode().getCode()).isEqualTo(0x8E);
            assertThat(said.getReasonString().orElseThrow()).hasToString("the client has connected to edge " + edge);
        }
    }

    private List<String> keys(String kafkaTopic, String part) {
        return CompactedView.of(stack.kafka, kafkaTopic).keySet().stream()
                .filter(key -> key.contains(part))
                .toList();
    }

    private void publish(String topic, String payload) {
        try (TestClient publisher = TestClient.connect(stack.west.port(), "publisher", p -> {})) {
            assertThat(publisher.publish(topic, 1, payload, TwoEdges.neighbor()).join())
                    .isEqualTo(new Answer(0, ""));
        }
    }

    @Test
    void shouldServeAClientOnTheEdgeThatItConnectedToLast() throws Exception {
        Roamer atEast = new Roamer(stack.east.port(), "roamer");
        atEast.subscribe("roam");
        publish("roam", "at east");
        await().atMost(SOON).untilAsserted(() -> assertThat(atEast.received).containsExactly("at east"));

        Roamer atWest = new Roamer(stack.west.port(), "roamer");
        assertThat(atWest.sessionPresent).isFalse();
        atWest.subscribe("roam");
        atEast.assertTakenOverBy("west");
        await().atMost(SOON).untilAsserted(() -> assertThat(keys(TwoEdges.TOPICS.subscriptions(), "roamer"))
                .singleElement()
                .asString()
                .contains("west\0"));
        await().atMost(SOON).untilAsserted(() -> assertThat(keys(TwoEdges.TOPICS.interests(), "|roam|"))
                .singleElement()
                .asString()
                .endsWith("|west"));
        publish("roam", "at west");
        await().atMost(SOON).untilAsserted(() -> assertThat(atWest.received).containsExactly("at west"));

        Roamer again = new Roamer(stack.east.port(), "roamer");
        assertThat(again.sessionPresent).as("nothing of it is left at east").isFalse();
        atWest.assertTakenOverBy("east");
        again.subscribe("roam");
        publish("roam", "at east again");
        await().atMost(SOON).untilAsserted(() -> assertThat(again.received).containsExactly("at east again"));
        assertThat(atEast.received).containsExactly("at east");
        assertThat(atWest.received).containsExactly("at west");
        assertThat(keys(TwoEdges.TOPICS.sessions(), "roamer")).hasSize(1);

        again.client.disconnectWith().sessionExpiryInterval(0).send().join();
        await().atMost(SOON)
                .until(() -> keys(TwoEdges.TOPICS.sessions(), "roamer").isEmpty());
        await().atMost(SOON)
                .until(() -> keys(TwoEdges.TOPICS.subscriptions(), "roamer").isEmpty());
        assertThat(stack.count("hereabouts.edge.refused", "packet", "connection", "reason", "taken_over"))
                .isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldEndTheSessionThatSleepsOnAnotherEdge() {
        Roamer sleeper = new Roamer(stack.east.port(), "sleeper");
        sleeper.subscribe("sleep");
        sleeper.client.disconnect().join();
        assertThat(keys(TwoEdges.TOPICS.subscriptions(), "sleeper")).hasSize(1);

        Roamer awake = new Roamer(stack.west.port(), "sleeper");
        await().atMost(SOON)
                .until(() -> keys(TwoEdges.TOPICS.subscriptions(), "sleeper").isEmpty()
                        && keys(TwoEdges.TOPICS.interests(), "|sleep|").isEmpty());
        assertThat(awake.client.getState().isConnected()).isTrue();
        awake.client.disconnectWith().sessionExpiryInterval(0).send().join();
        await().atMost(SOON)
                .until(() -> keys(TwoEdges.TOPICS.sessions(), "sleeper").isEmpty());
    }

    /** Two clients with one id that both come back at once: as on one broker, and nothing else is disturbed. */
    @Test
    void shouldBearClientsThatFightForAnId() {
        Roamer other = new Roamer(stack.east.port(), "peaceful");
        other.subscribe("peace");
        List<Integer> reasons = new CopyOnWriteArrayList<>();
        for (int port : new int[] {stack.east.port(), stack.west.port()}) {
            Mqtt5AsyncClient fighter = stack.add(new Closing(Mqtt5Client.builder()
                            .identifier("fighter")
                            .serverHost("127.0.0.1")
                            .serverPort(port)
                            .addDisconnectedListener(context -> {
                                if (context.getCause() instanceof Mqtt5DisconnectException said) {
                                    reasons.add(said.getMqttMessage()
                                            .getReasonCode()
                                            .getCode());
                                }
                            })
                            .automaticReconnect()
                            .initialDelay(10, TimeUnit.MILLISECONDS)
                            .maxDelay(50, TimeUnit.MILLISECONDS)
                            .applyAutomaticReconnect()
                            .buildAsync()))
                    .client();
            fighter.connect().join();
        }
        await().atMost(SOON).until(() -> reasons.size() >= 20);
        assertThat(reasons).as("never both, nor neither").contains(0x8E);
        publish("peace", "undisturbed");
        await().atMost(SOON).untilAsserted(() -> assertThat(other.received).containsExactly("undisturbed"));
        assertThat(other.disconnected).isNotDone();
        other.client.disconnectWith().sessionExpiryInterval(0).send().join();
    }

    /** Disconnects at the end of the class. */
    private record Closing(Mqtt5AsyncClient client) implements AutoCloseable {
        @Override
        public void close() {
            client.disconnect().exceptionally(e -> null).join();
        }
    }
}
