package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.testkit.kafka.TestKafka;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** A Kafka of its own, which goes away. */
class KafkaDownIT {

    @Test
    void shouldNeverAcknowledgeWhatKafkaDoesNotHave() {
        TestKafka kafka = TestKafka.start();
        try (EdgeStack stack = new EdgeStack(KafkaConnection.to(kafka.bootstrapServers()))) {
            EdgeConfig.Limits d = EdgeConfig.Limits.DEFAULT;
            Edge edge = stack.edge(
                    "e",
                    b -> b.limits(new EdgeConfig.Limits(
                            Duration.ofSeconds(3),
                            d.subscribeTimeout(),
                            d.retry(),
                            // so that nothing but this test's packets finds out that Kafka is down
                            Duration.ofMinutes(5),
                            d.compare(),
                            d.window(),
                            d.queue(),
                            d.pendingBytes(),
                            200,
                            d.maxPayloadBytes(),
                            4 << 20,
                            d.receiveMaximum(),
                            d.plainQueue(),
                            d.retainedBytes())));
            Client client = stack.client(edge, "c");
            client.publish("t", MqttQos.AT_LEAST_ONCE, "in time", "entity", "x");
            kafka.close();

            CompletableFuture<Mqtt5ConnAck> connack = new Client(edge, "unkept")
                    .async
                    .connectWith()
                    .willPublish(will())
                    .send();

            Throwable failure = catchThrowableOfType(
                    Throwable.class, () -> client.publish("t", MqttQos.AT_LEAST_ONCE, "too late", "entity", "x"));

            assertThat(failure).as("no success").isNotNull();
            Mqtt5Disconnect disconnect = client.disconnect();
            assertThat(disconnect.getReasonCode().getCode()).isEqualTo(0x97);
            assertThat(disconnect.getReasonString().orElseThrow().toString()).contains("Kafka");

            Throwable unconnected =
                    catchThrowableOfType(ExecutionException.class, connack::get).getCause();
            assertThat(unconnected).isInstanceOf(Mqtt5ConnAckException.class);
            Mqtt5ConnAck unkept = ((Mqtt5ConnAckException) Objects.requireNonNull(unconnected)).getMqttMessage();
            assertThat(unkept.getReasonCode().getCode())
                    .as("Kafka does not answer in time")
                    .isEqualTo(0x88);
            assertThat(unkept.getReasonString().orElseThrow().toString()).contains("Kafka");

            Client next = stack.client(edge, "next");
            Mqtt5PubAck puback = catchThrowableOfType(
                            Mqtt5PubAckException.class,
                            () -> next.publish("t", MqttQos.AT_LEAST_ONCE, "known down", "entity", "x"))
                    .getMqttMessage();
            assertThat(puback.getReasonCode().getCode()).isEqualTo(0x97);
            assertThat(puback.getReasonString().orElseThrow().toString()).contains("Kafka");
            next.publish("t", MqttQos.AT_MOST_ONCE, "dropped", "entity", "x");
            await().until(() -> stack.count("hereabouts.edge.dropped", "qos", "0") > 0);

            assertThat(catchThrowableOfType(Mqtt5ConnAckException.class, () -> new Client(edge, "unkept too")
                                    .mqtt
                                    .connectWith()
                                    .willPublish(will())
                                    .send())
                            .getMqttMessage()
                            .getReasonCode()
                            .getCode())
                    .as("known down")
                    .isEqualTo(0x88);
            assertThat(stack.count("hereabouts.edge.refused", "reason", "will_kafka_down"))
                    .isEqualTo(2);

            assertThat(next.subscribe("plain/#", MqttQos.AT_LEAST_ONCE).getReasonCodes())
                    .as("plain MQTT goes on")
                    .containsExactly(Mqtt5SubAckReasonCode.GRANTED_QOS_1);
            next.publish("plain/x", MqttQos.AT_LEAST_ONCE, "plain");
            await().untilAsserted(() -> assertThat(next.payloads()).containsExactly("plain"));
        }
    }

    private static Mqtt5Publish will() {
        return Client.message("t", MqttQos.AT_LEAST_ONCE, "gone", "entity", "x");
    }
}
