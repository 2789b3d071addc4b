package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static io.hereabouts.bridge.EdgeStack.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class EdgeIT {

    private static final String ZONE = descriptor("zone/1");

    @Test
    void shouldTakeASpatialPublicationToKafka() throws Exception {
        try (EdgeStack stack = new EdgeStack()) {
            Edge edge = stack.edge("e1");
            Client client = stack.client(edge, "car");

            client.mqtt.publish(
                    Client.message("a/b", MqttQos.AT_LEAST_ONCE, "x", "entity", "road/1", "k", "1", "k", "2"));

            assertThat(stack.records(stack.topics.publications())).hasSize(1);
            ConsumerRecord<byte[], byte[]> record =
                    stack.records(stack.topics.publications()).get(0);
            assertThat(record.key()).asString().isEqualTo("road/1");
            Publication publication = Framing.decode(record.value(), Publication.class);
            assertThat(publication.getTopic()).isEqualTo("a/b");
            assertThat(publication.getPublisher()).isEqualTo("car");
            assertThat(publication.getEdge()).isEqualTo("e1");
            assertThat(publication.getQos()).isEqualTo(1);
            assertThat(publication.getMessageExpiryInterval()).isNull();
            assertThat(publication.getUserProperties())
                    .extracting(p -> p.getName() + "=" + p.getValue())
                    .containsExactly("k=1", "k=2");
        }
    }

    @Test
    void shouldDeliverToTheNeighborhoodThatContainsTheEntityAndToPlainSubscribers() throws Exception {
        NeighborhoodId zone = neighborhood(ZONE);
        try (EdgeStack stack = new EdgeStack();
                ScriptedPipeline pipeline = stack.pipeline()) {
            pipeline.define(zone, "d/1", "d/2");
            Edge edge = stack.edge("e1");
            Client near = stack.client(edge, "near");
            Client plain = stack.client(edge, "plain");
            near.subscribe("a/#", MqttQos.AT_LEAST_ONCE, "neighborhood", ZONE, "neighborhood-id", "mine");
            plain.subscribe("a/+", MqttQos.AT_LEAST_ONCE);
            await().until(() -> pipeline.interests().size() == 2);
            assertThat(pipeline.interests()).contains(new Interest(zone, TopicFilter.parse("a/#"), EdgeId.of("e1")));

            Client publisher = stack.client(edge, "publisher");
            publisher.publish("a/b", MqttQos.AT_LEAST_ONCE, "in", "entity", "d/1", "k", "v");
            publisher.publish("a/b", MqttQos.AT_LEAST_ONCE, "out", "entity", "d/9");
            publisher.publish("c", MqttQos.AT_LEAST_ONCE, "other topic", "entity", "d/1");
            publisher.publish("a/b", MqttQos.AT_LEAST_ONCE, "no entity");
            publisher.publish("a/b", MqttQos.AT_LEAST_ONCE, "last", "entity", "d/2");

            await().untilAsserted(() -> assertThat(near.payloads()).contains("last"));
            assertThat(near.payloads()).containsExactly("in", "last");
            Mqtt5Publish in = near.received.peek();
            assertThat(in.getTopic()).hasToString("a/b");
            assertThat(property(in, "entity")).containsExactly("d/1");
            assertThat(property(in, "neighborhood-id")).containsExactly("mine");
            assertThat(property(in, "publication-id")).hasSize(1);
            assertThat(property(in, "k")).containsExactly("v");
            assertThat(in.getUserProperties().asList()).hasSize(4);
            await().untilAsserted(() ->
                    assertThat(plain.payloads()).containsExactlyInAnyOrder("in", "out", "no entity", "last"));
        }
    }
}
