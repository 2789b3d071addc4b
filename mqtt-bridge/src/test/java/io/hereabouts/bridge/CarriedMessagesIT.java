package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.bridge.publish.CarriedTopics;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages without entity between edges: as if those were one broker. */
class CarriedMessagesIT {

    private static final MqttQos QOS_0 = MqttQos.AT_MOST_ONCE;
    private static final MqttQos QOS_1 = MqttQos.AT_LEAST_ONCE;
    private static final MqttQos QOS_2 = MqttQos.EXACTLY_ONCE;

    private final EdgeStack stack = new EdgeStack();
    private final ScriptedPipeline pipeline = stack.pipeline();

    @AfterEach
    void close() {
        stack.close();
    }

    private Edge edge(String name) {
        return stack.edge(name, b -> b.carry(CarriedTopics.of(List.of("chat/#", "+/news"))));
    }

    @Test
    void shouldBringEachMessageToTheOtherEdgeOnceInOrderAndBackToNobody() {
        Edge east = edge("east");
        Edge west = edge("west");
        Client here = stack.client(east, "here");
        Client there = stack.client(west, "there");
        here.subscribe("#", QOS_2);
        there.subscribe("#", QOS_2);
        there.subscribe("chat/+", QOS_1, "neighborhood", descriptor("zone/1"));
        pipeline.define(neighborhood(descriptor("zone/1")), "a1");
        List<CompletableFuture<?>> acknowledged = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            acknowledged.add(here.async.publish(Client.message("chat/a", QOS_1, String.valueOf(i))));
        }
        acknowledged.forEach(CompletableFuture::join);
        here.publish("chat/a", QOS_0, "at 0");
        here.publish("chat/a", QOS_2, "at 2");
        here.publish("local", QOS_1, "stays");
        there.publish("fresh/news", QOS_2, "back");

        List<String> all = new ArrayList<>(
                IntStream.range(0, 200).mapToObj(String::valueOf).toList());
        await().untilAsserted(() -> {
            assertThat(there.payloads()).contains("at 0", "at 2", "back");
            assertThat(there.payloads().stream().filter(all::contains)).containsExactlyElementsOf(all);
            assertThat(here.payloads()).contains("stays", "back");
        });
        // behind all that came before it on its topic, on both edges
        there.publish("chat/a", QOS_1, "last");
        await().untilAsserted(() -> assertThat(here.payloads()).contains("last"));
        await().untilAsserted(() -> assertThat(there.payloads()).contains("last"));
        assertThat(here.payloads()).hasSize(200 + 5).doesNotHaveDuplicates();
        assertThat(there.payloads()).hasSize(200 + 4).doesNotHaveDuplicates().doesNotContain("stays");
        assertThat(stack.records(stack.topics.messages())).hasSize(200 + 4);
    }

    @Test
    void shouldCarryAllThatAMessageSaysAndRetainIt() {
        Edge east = edge("east");
        Edge west = edge("west");
        Client here = stack.client(east, "here");
        here.mqtt.publish(Mqtt5Publish.builder()
                .topic("chat/b")
                .qos(QOS_2)
                .retain(true)
                .payload("kept".getBytes(StandardCharsets.UTF_8))
                .contentType("text/plain")
                .responseTopic("chat/answers")
                .correlationData(new byte[] {1, 2})
                .messageExpiryInterval(100)
                .userProperties(EdgeStack.properties("k", "2", "k", "1", "j", "3"))
                .build());
        await().untilAsserted(() -> {
            Client late = stack.client(west, "late");
            late.subscribe("chat/#", QOS_2);
            assertThat(late.received.poll(2, TimeUnit.SECONDS)).isNotNull().satisfies(message -> {
                assertThat(EdgeStack.payload(message)).isEqualTo("kept");
                assertThat(message.isRetain()).isTrue();
                assertThat(message.getQos()).isEqualTo(QOS_2);
                assertThat(String.valueOf(message.getContentType().orElseThrow()))
                        .isEqualTo("text/plain");
                assertThat(String.valueOf(message.getResponseTopic().orElseThrow()))
                        .isEqualTo("chat/answers");
                assertThat(message.getCorrelationData()).contains(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(message.getMessageExpiryInterval().orElseThrow()).isBetween(1L, 100L);
                assertThat(message.getUserProperties()).isEqualTo(EdgeStack.properties("k", "2", "k", "1", "j", "3"));
            });
        });
    }

    @Test
    void shouldLeaveOutWhatIsNoMessageAndGoOn() throws Exception {
        Edge east = edge("east");
        Client there = stack.client(east, "there");
        there.subscribe("#", QOS_1);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(stack.kafka.producer("test"))) {
            for (byte[] value : List.of(
                    new byte[] {7},
                    message("chat/#", null),
                    message("$SYS/chat", null),
                    message("elsewhere", null),
                    message("chat/c", 0L),
                    message("chat/c", null))) {
                producer.send(new ProducerRecord<>(stack.topics.messages(), 0, new byte[] {1}, value))
                        .get();
            }
        }
        await().untilAsserted(() -> assertThat(there.payloads()).containsExactly("from afar"));
        assertThat(stack.count("hereabouts.edge.ignored", "reason", "undecodable"))
                .isEqualTo(2);
        assertThat(stack.count("hereabouts.edge.dropped", "reason", "expired")).isEqualTo(1);
        assertThat(stack.count("hereabouts.edge.carried", "direction", "in")).isEqualTo(1);
    }

    private static byte[] message(String topic, @Nullable Long expiry) {
        return Framing.encode(new Publication(
                topic,
                "id",
                "p",
                "afar",
                1,
                false,
                expiry == null ? System.currentTimeMillis() : 0L,
                expiry,
                null,
                null,
                null,
                null,
                List.of(),
                ByteBuffer.wrap("from afar".getBytes(StandardCharsets.UTF_8))));
    }
}
