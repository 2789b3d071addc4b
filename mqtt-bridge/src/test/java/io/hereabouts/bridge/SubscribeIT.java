package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static io.hereabouts.bridge.EdgeStack.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.Mqtt5Unsubscribe;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.unsuback.Mqtt5UnsubAck;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.bridge.ScriptedPipeline.Refusal;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubscribeIT {

    private static final String ONE = descriptor("zone/1");
    private static final String TWO = descriptor("zone/2");
    private static final NeighborhoodId N1 = neighborhood(ONE);
    private static final NeighborhoodId N2 = neighborhood(TWO);
    private static final MqttQos QOS_1 = MqttQos.AT_LEAST_ONCE;

    private final EdgeStack stack = new EdgeStack();
    private final ScriptedPipeline pipeline = stack.pipeline();

    @BeforeEach
    void define() {
        pipeline.define(N1, "a1", "a2", "a3", "a4", "both");
        pipeline.define(N2, "b1", "both");
    }

    @AfterEach
    void close() {
        stack.close();
    }

    private Edge edge(Duration subscribeTimeout) {
        EdgeConfig.Limits d = EdgeConfig.Limits.DEFAULT;
        return stack.edge(
                "e",
                b -> b.limits(new EdgeConfig.Limits(
                        d.publishTimeout(),
                        subscribeTimeout,
                        Duration.ofMillis(300),
                        d.heartbeat(),
                        d.compare(),
                        d.window(),
                        d.queue(),
                        d.pendingBytes(),
                        d.qos0Bytes(),
                        d.maxPayloadBytes(),
                        4 << 20,
                        d.receiveMaximum(),
                        d.plainQueue(),
                        d.retainedBytes())));
    }

    private static Mqtt5SubAck refused(Runnable subscribe) {
        return catchThrowableOfType(Mqtt5SubAckException.class, subscribe::run).getMqttMessage();
    }

    private void awaitNothingLeft() {
        await().untilAsserted(() -> {
            assertThat(stack.table(stack.topics.interests())).isEmpty();
            assertThat(stack.table(stack.topics.subscriptions())).isEmpty();
        });
    }

    @Test
    void shouldSendSubackOnlyWhenEveryPartitionHasApplied() {
        pipeline.sendApplied = false;
        Client client = stack.client(edge(Duration.ofSeconds(60)), "c");
        CompletableFuture<Mqtt5SubAck> suback =
                client.async.subscribe(Client.subscribeMessage("t/#", QOS_1, "neighborhood", ONE));
        await().until(() -> pipeline.requests.size() >= 3);
        assertThat(suback).as("resolved, repeated, not applied").isNotDone();
        assertThat(EdgeStack.stored("c")).isEmpty();
        pipeline.sendApplied = true;
        assertThat(suback.join().getReasonCodes()).containsExactly(Mqtt5SubAckReasonCode.GRANTED_QOS_1);
        assertThat(EdgeStack.stored("c"))
                .singleElement()
                .asString()
                .startsWith("$hereabouts/n/")
                .endsWith("/t/#");
        client.publish("t/x", QOS_1, "after suback", "entity", "a1");
        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("after suback"));
    }

    @Test
    void shouldRefuseWhatIsNotActiveInTimeAndLeaveNothing() {
        pipeline.silentFor.add(N1);
        Client client = stack.client(edge(Duration.ofSeconds(1)), "c");
        Mqtt5SubAck suback = refused(() -> client.subscribe("t", QOS_1, "neighborhood", ONE));
        assertThat(suback.getReasonCodes()).containsExactly(Mqtt5SubAckReasonCode.QUOTA_EXCEEDED);
        assertThat(suback.getReasonString().orElseThrow().toString()).contains("the resolver has not answered");
        assertThat(client.mqtt.getState().isConnected()).isTrue();
        assertThat(EdgeStack.stored("c")).isEmpty();
        awaitNothingLeft();
    }

    @Test
    void shouldNotLetTheKeepAliveRunOutWhileItWaits() {
        pipeline.silentFor.add(N1);
        Client client = new Client(edge(Duration.ofSeconds(60)), "c");
        client.mqtt.connectWith().keepAlive(4).send();
        Mqtt5SubAck suback = refused(() -> client.subscribe("t", QOS_1, "neighborhood", ONE));
        assertThat(suback.getReasonString().orElseThrow().toString()).contains("after 2000 ms");
        assertThat(client.mqtt.getState().isConnected()).isTrue();
        client.close();
    }

    @Test
    void shouldLeaveNothingOfAClientThatGoesWhileItWaits() {
        pipeline.silentFor.add(N1);
        Client client = stack.client(edge(Duration.ofSeconds(3)), "c");
        CompletableFuture<Mqtt5SubAck> suback =
                client.async.subscribe(Client.subscribeMessage("t", QOS_1, "neighborhood", ONE));
        await().until(() -> !pipeline.interests().isEmpty());
        client.mqtt.disconnect();
        awaitNothingLeft();
        assertThat(suback).isCompletedExceptionally();
        pipeline.silentFor.clear();
        client.mqtt.connect();
        assertThat(EdgeStack.stored("c")).isEmpty();
    }

    @Test
    void shouldReplaceMakeBeforeBreakAndKeepTheOldOneWhenRefused() {
        Client client = stack.client(edge(Duration.ofSeconds(60)), "c");
        client.subscribe("t", QOS_1, "neighborhood", ONE, "neighborhood-id", "id");
        pipeline.refusals.put(N2, new Refusal(0x97, "busy"));
        Mqtt5SubAck suback = refused(() -> client.subscribe("t", QOS_1, "neighborhood", TWO, "neighborhood-id", "id"));
        assertThat(suback.getReasonString().orElseThrow().toString()).contains("busy");
        client.publish("t", QOS_1, "old", "entity", "a1");
        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("old"));

        pipeline.refusals.clear();
        client.subscribe("t", QOS_1, "neighborhood", TWO, "neighborhood-id", "id");
        await().untilAsserted(() -> assertThat(pipeline.interests())
                .extracting(i -> i.neighborhood())
                .containsExactly(N2));
        client.publish("t", QOS_1, "no more", "entity", "a1");
        client.publish("t", QOS_1, "new", "entity", "b1");
        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("old", "new"));
        assertThat(stack.table(stack.topics.subscriptions())).hasSize(1);
    }

    @Test
    void shouldShareOneInterestAndReleaseItWithTheLastClient() {
        Edge edge = edge(Duration.ofSeconds(60));
        Client first = stack.client(edge, "first");
        Client second = stack.client(edge, "second");
        first.subscribe("t", QOS_1, "neighborhood", ONE);
        int requests = pipeline.requests.size();
        second.subscribe("t", QOS_1, "neighborhood", ONE);
        assertThat(pipeline.requests).hasSize(requests);
        first.mqtt.disconnect();
        await().untilAsserted(() ->
                assertThat(stack.table(stack.topics.subscriptions())).hasSize(1));
        assertThat(stack.table(stack.topics.interests())).hasSize(1);
        second.publish("t", QOS_1, "x", "entity", "a1");
        await().untilAsserted(() -> assertThat(second.payloads()).containsExactly("x"));
        second.mqtt.disconnect();
        awaitNothingLeft();
    }

    @Test
    void shouldHoldSeveralNeighborhoodsOnOneFilterAndUnsubscribeThemById() {
        Client client = stack.client(edge(Duration.ofSeconds(60)), "c");
        client.subscribe("t", MqttQos.AT_MOST_ONCE, "neighborhood", ONE, "neighborhood-id", "one");
        Mqtt5SubAck granted =
                client.subscribe("t", MqttQos.EXACTLY_ONCE, "neighborhood", TWO, "neighborhood-id", "two");
        assertThat(granted.getReasonCodes()).containsExactly(Mqtt5SubAckReasonCode.GRANTED_QOS_2);
        client.publish("t", QOS_1, "x", "entity", "both");
        await().untilAsserted(() -> assertThat(client.received).hasSize(1));
        assertThat(property(client.received.peek(), "neighborhood-id")).containsExactlyInAnyOrder("one", "two");
        assertThat(client.received.peek().getQos()).as("the highest").isEqualTo(QOS_1);

        Mqtt5UnsubAck byId = client.mqtt.unsubscribe(Mqtt5Unsubscribe.builder()
                .topicFilter("t")
                .addTopicFilter("other")
                .userProperties(EdgeStack.properties("neighborhood-id", "nobody", "neighborhood-id", "one"))
                .build());
        assertThat(byId.getReasonCodes()).hasSize(2);
        assertThat(EdgeStack.stored("c")).hasSize(1);
        await().untilAsserted(
                        () -> assertThat(stack.table(stack.topics.interests())).hasSize(1));
        client.publish("t", QOS_1, "not this", "entity", "a1");
        client.publish("t", QOS_1, "y", "entity", "both");
        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("x", "y"));

        client.subscribe("t", QOS_1);
        client.mqtt.unsubscribe(Mqtt5Unsubscribe.builder().topicFilter("t").build());
        assertThat(EdgeStack.stored("c")).isEmpty();
        awaitNothingLeft();
    }

    @Test
    void shouldNotLetAClientUnsubscribeHiddenTopics() {
        Client client = stack.client(edge(Duration.ofSeconds(60)), "c");
        client.subscribe("t", QOS_1, "neighborhood", ONE);
        String hidden = EdgeStack.stored("c").iterator().next();
        client.mqtt.unsubscribe(Mqtt5Unsubscribe.builder().topicFilter(hidden).build());
        assertThat(EdgeStack.stored("c")).containsExactly(hidden);
    }

    @Test
    void shouldHonourNoLocal() {
        Edge edge = edge(Duration.ofSeconds(60));
        Client client = stack.client(edge, "c");
        client.mqtt.subscribe(Mqtt5Subscribe.builder()
                .addSubscription()
                .topicFilter("t")
                .qos(QOS_1)
                .noLocal(true)
                .applySubscription()
                .userProperties(EdgeStack.properties("neighborhood", ONE))
                .build());
        client.publish("t", QOS_1, "own", "entity", "a1");
        stack.client(edge, "d").publish("t", QOS_1, "other's", "entity", "a1");
        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("other's"));
    }

    @Test
    void shouldHandNeighborhoodSubscribersNothingWithoutEntity() {
        Edge edge = edge(Duration.ofSeconds(60));
        Client publisher = stack.client(edge, "p");
        publisher.mqtt.publish(
                Client.message("t", QOS_1, "retained").extend().retain(true).build());
        Client client = stack.client(edge, "c");
        client.subscribe("t", QOS_1, "neighborhood", ONE);
        Client mourner = new Client(edge, "m");
        mourner.mqtt
                .connectWith()
                .willPublish(Client.message("t", QOS_1, "will"))
                .send();
        mourner.mqtt
                .disconnectWith()
                .reasonCode(
                        com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode
                                .DISCONNECT_WITH_WILL_MESSAGE)
                .send();
        publisher.publish("t", QOS_1, "plain");
        publisher.publish("t", QOS_1, "spatial", "entity", "a1");
        await().untilAsserted(() -> assertThat(client.payloads()).contains("spatial"));
        assertThat(client.payloads()).containsExactly("spatial");
    }

    @Test
    void shouldKeepAPersistentPlainSessionServedUntilItEnds() {
        Edge edge = edge(Duration.ofSeconds(60));
        Client sleeper = new Client(edge, "sleeper");
        sleeper.mqtt.connectWith().sessionExpiryInterval(4).send();
        sleeper.subscribe("t", QOS_1);
        await().until(() -> pipeline.interests().size() == 1);
        sleeper.mqtt.disconnect();
        stack.client(edge, "p").publish("t", QOS_1, "while away", "entity", "a1");
        Client again = new Client(edge, "sleeper");
        again.mqtt.connectWith().cleanStart(false).sessionExpiryInterval(1).send();
        await().untilAsserted(() -> assertThat(again.payloads()).containsExactly("while away"));
        again.mqtt.disconnect();
        awaitNothingLeft();
    }

    @Test
    void shouldKeepANeighborhoodForASessionThatSleepsUntilItEnds() {
        Edge edge = edge(Duration.ofSeconds(60));

        Client sleeper = new Client(edge, "sleeper");
        sleeper.mqtt.connectWith().sessionExpiryInterval(60).send();
        sleeper.subscribe("t", MqttQos.EXACTLY_ONCE, "neighborhood", ONE, "neighborhood-id", "here");
        sleeper.mqtt.disconnect();
        Client publisher = stack.client(edge, "p");
        List<CompletableFuture<?>> acknowledged = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            MqttQos qos = i % 2 == 0 ? QOS_1 : MqttQos.EXACTLY_ONCE;
            acknowledged.add(publisher.async.publish(Client.message("t", qos, String.valueOf(i), "entity", "a1")));
        }
        acknowledged.forEach(CompletableFuture::join);
        publisher.publish("t", MqttQos.AT_MOST_ONCE, "for whom is there", "entity", "a1");
        await().until(() -> stack.count("hereabouts.edge.dropped", "reason", "offline", "qos", "0") == 1);

        Client again = new Client(edge, "sleeper");
        assertThat(again.mqtt
                        .connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(2)
                        .send()
                        .isSessionPresent())
                .isTrue();
        await().until(() -> again.received.size() == 1_200);
        for (int first = 0; first < 2; first++) {
            int qos = first + 1;
            assertThat(again.received.stream()
                            .filter(message -> message.getQos().getCode() == qos)
                            .map(EdgeStack::payload))
                    .as("in order at QoS " + qos)
                    .containsExactlyElementsOf(IntStream.iterate(first, i -> i < 1_200, i -> i + 2)
                            .mapToObj(String::valueOf)
                            .toList());
        }
        assertThat(again.received).allSatisfy(message -> assertThat(EdgeStack.property(message, "neighborhood-id"))
                .containsExactly("here"));
        again.mqtt.disconnect();
        await().untilAsserted(() ->
                assertThat(stack.count("hereabouts.edge.delivered", "qos", "2")).isEqualTo(600));
        awaitNothingLeft();
    }

    @Test
    void shouldKnowASessionThatEndedJustBeforeItsClientCameBack() {
        Edge edge = edge(Duration.ofSeconds(60));

        Client sleeper = new Client(edge, "sleeper");
        sleeper.mqtt.connectWith().sessionExpiryInterval(60).send();
        sleeper.subscribe("t", QOS_1, "neighborhood", ONE);
        assertThat(stack.table(stack.topics.subscriptions())).hasSize(1);
        // the session ends with the connection, which a CONNECT does not say
        sleeper.mqtt.disconnectWith().sessionExpiryInterval(0).send();
        Client again = new Client(edge, "sleeper");
        assertThat(again.mqtt
                        .connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(60)
                        .send()
                        .isSessionPresent())
                .isFalse();
        awaitNothingLeft();
        again.mqtt.disconnectWith().sessionExpiryInterval(0).send();
    }

    @Test
    void shouldCountSharedGroupsThatGetNoSpatialPublications() {
        Client client = stack.client(edge(Duration.ofSeconds(60)), "c");
        client.subscribe("$share/g/t", QOS_1);
        assertThat(stack.count("hereabouts.edge.unserved", "reason", "shared")).isEqualTo(1);
        assertThat(stack.table(stack.topics.interests())).isEmpty();
    }
}
