package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static io.hereabouts.bridge.EdgeStack.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.Mqtt5Unsubscribe;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.record.Framing;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client hears what becomes of its own neighborhoods, and of nobody else's. */
class StatusIT {

    private static final String ONE = descriptor("zone/1");
    private static final NeighborhoodId N1 = neighborhood(ONE);
    private static final MqttQos QOS_1 = MqttQos.AT_LEAST_ONCE;
    private static final String ALL = "$hereabouts/neighborhoods/#";
    private static final String HERE = "$hereabouts/neighborhoods/here";

    private final EdgeStack stack = new EdgeStack();
    private final ScriptedPipeline pipeline = stack.pipeline();
    private final Edge edge = stack.edge("e");

    @BeforeEach
    void define() {
        pipeline.define(N1, "a1", "a2");
    }

    @AfterEach
    void close() {
        stack.close();
    }

    private void say(long worldVersion, int entities, List<String> missing) {
        pipeline.send(
                EdgeId.of("e"),
                N1.value(),
                Framing.encode(new NeighborhoodStatus(N1.value(), worldVersion, entities, missing, "")));
    }

    private static void awaitStates(Client client, String... states) {
        await().untilAsserted(() -> assertThat(client.payloads())
                .hasSize(states.length)
                .allSatisfy(json -> assertThat(json).startsWith("{\"neighborhood\":\"" + N1 + "\"")));
        assertThat(client.payloads())
                .zipSatisfy(List.of(states), (json, state) -> assertThat(json).contains("\"state\":\"" + state + "\""));
    }

    @Test
    void shouldTellAtOnceAndWhenItChanges() {
        Client client = stack.client(edge, "c");
        client.mqtt.subscribe(Mqtt5Subscribe.builder()
                .addSubscription()
                .topicFilter("t/#")
                .applySubscription()
                .addSubscription()
                .topicFilter(ALL)
                .qos(QOS_1)
                .applySubscription()
                .userProperties(EdgeStack.properties("neighborhood", ONE, "neighborhood-id", "here"))
                .build());
        awaitStates(client, "resolved");

        say(8, 1, List.of("zone/1"));
        say(8, 1, List.of("zone/1"));
        say(9, 2, List.of());

        awaitStates(client, "resolved", "incomplete", "resolved");
        assertThat(client.received).allSatisfy(publish -> {
            assertThat(publish.getTopic().toString()).isEqualTo(HERE);
            assertThat(publish.getQos()).isEqualTo(QOS_1);
            assertThat(property(publish, "neighborhood-id")).containsExactly("here");
            assertThat(publish.getContentType().orElseThrow().toString()).isEqualTo("application/json");
        });
        assertThat(stack.count("hereabouts.edge.statuses", "outcome", "told")).isEqualTo(3);
    }

    @Test
    void shouldTellNobodyElse() {
        Client other = stack.client(edge, "other");
        other.subscribe(ALL, QOS_1);
        other.subscribe("#", QOS_1);
        other.subscribe("+/neighborhoods/here", QOS_1);
        Client plain = stack.client(edge, "plain");
        plain.subscribe("#", QOS_1);
        plain.subscribe("t", QOS_1, "neighborhood", ONE, "neighborhood-id", "here");
        Client client = stack.client(edge, "c");
        client.subscribe(HERE, MqttQos.AT_MOST_ONCE);
        client.subscribe("t", QOS_1, "neighborhood", ONE, "neighborhood-id", "here");

        say(8, 1, List.of("zone/1"));
        awaitStates(client, "resolved", "incomplete");
        assertThat(client.received)
                .allSatisfy(publish -> assertThat(publish.getQos()).isEqualTo(MqttQos.AT_MOST_ONCE));

        client.publish("end", QOS_1, "end");
        await().untilAsserted(() -> {
            assertThat(other.payloads()).containsExactly("end");
            assertThat(plain.payloads()).containsExactly("end");
        });
    }

    @Test
    void shouldTellNoMoreAfterUnsubscribe() {
        Client client = stack.client(edge, "c");
        client.subscribe(ALL, QOS_1);
        client.subscribe("#", QOS_1);
        client.subscribe("t", QOS_1, "neighborhood", ONE, "neighborhood-id", "here");
        awaitStates(client, "resolved");

        Client witness = stack.client(edge, "witness");
        witness.subscribe(ALL, QOS_1);
        witness.subscribe("t", QOS_1, "neighborhood", ONE);
        client.mqtt.unsubscribe(Mqtt5Unsubscribe.builder().topicFilter(ALL).build());
        say(8, 1, List.of());
        awaitStates(witness, "resolved", "resolved");
        client.subscribe(HERE, QOS_1);

        awaitStates(client, "resolved", "resolved");
        assertThat(client.payloads().get(1)).contains("\"entities\":1");
    }

    @Test
    void shouldNotLetAClientSpeakForTheEdge() throws Exception {
        Client client = stack.client(edge, "c");
        client.subscribe(ALL, QOS_1);
        client.subscribe("end", QOS_1);
        for (String topic : List.of(HERE, "$hereabouts/n/0123456789abcdef0123456789abcdef/end")) {
            Client forger = new Client(edge, "forger");
            forger.mqtt
                    .toAsync()
                    .connect(Mqtt5Connect.builder()
                            .willPublish(Client.message(topic, QOS_1, "forged"))
                            .build())
                    .thenCompose(ack -> forger.async
                            .disconnectWith()
                            .reasonCode(Mqtt5DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE)
                            .send())
                    .exceptionally(refused -> null)
                    .join();
        }
        client.publish("end", QOS_1, "end");

        await().untilAsserted(() -> assertThat(client.payloads()).contains("end"));
        assertThat(client.payloads()).containsExactly("end");
    }

    @Test
    void shouldRefuseMoreTopicFiltersThanItComparesInTime() {
        Client client = stack.client(edge, "c");
        Mqtt5Subscribe all = Mqtt5Subscribe.builder()
                .addSubscriptions(IntStream.rangeClosed(1, StatusBoard.MAX_FILTERS + 1)
                        .mapToObj(i -> Mqtt5Subscription.builder()
                                .topicFilter("$hereabouts/neighborhoods/" + i)
                                .build())
                        .toList())
                .build();

        Mqtt5SubAck suback = catchThrowableOfType(Mqtt5SubAckException.class, () -> client.mqtt.subscribe(all))
                .getMqttMessage();

        assertThat(suback.getReasonCodes().subList(0, StatusBoard.MAX_FILTERS))
                .containsOnly(Mqtt5SubAckReasonCode.GRANTED_QOS_2);
        assertThat(suback.getReasonCodes().get(StatusBoard.MAX_FILTERS))
                .isEqualTo(Mqtt5SubAckReasonCode.QUOTA_EXCEEDED);
        assertThat(suback.getReasonString().orElseThrow().toString()).contains("at most 100 topic filters");
    }

    @Test
    void shouldRefuseWhatIsInternalAndShared() {
        Client client = stack.client(edge, "c");
        for (String filter : List.of("$hereabouts/#", "$hereabouts/n/#", "$share/g/" + ALL)) {
            assertThat(catchThrowableOfType(Mqtt5SubAckException.class, () -> client.subscribe(filter, QOS_1))
                            .getMqttMessage()
                            .getReasonCodes())
                    .containsExactly(Mqtt5SubAckReasonCode.TOPIC_FILTER_INVALID);
        }
    }
}
