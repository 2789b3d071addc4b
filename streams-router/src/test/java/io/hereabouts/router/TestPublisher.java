package io.hereabouts.router;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Publishes about entities, with Kafka's own partitioner. */
final class TestPublisher implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicCatalogue topics;

    TestPublisher(KafkaConnection kafka, TopicCatalogue topics) {
        this.producer = new KafkaProducer<>(kafka.producer("test-publisher"));
        this.topics = topics;
    }

    Future<RecordMetadata> publish(String entity, String topic, String payload) {
        return producer.send(new ProducerRecord<>(topics.publications(), utf8(entity), publication(topic, payload)));
    }

    /** Publishes and waits until Kafka has it. */
    void publishNow(String entity, String topic, String payload) throws Exception {
        publish(entity, topic, payload).get(30, TimeUnit.SECONDS);
    }

    RecordMetadata raw(int partition, byte @Nullable [] key, byte @Nullable [] value) throws Exception {
        return producer.send(new ProducerRecord<>(topics.publications(), partition, key, value))
                .get(30, TimeUnit.SECONDS);
    }

    void flush() {
        producer.flush();
    }

    static byte[] publication(String topic, String payload) {
        return Framing.encode(Publication.newBuilder()
                .setTopic(topic)
                .setPublicationId("0".repeat(32))
                .setPublisher("test")
                .setEdge("")
                .setQos(1)
                .setRetain(false)
                .setEventTime(0)
                .setUserProperties(List.of())
                .setPayload(ByteBuffer.wrap(utf8(payload)))
                .build());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
