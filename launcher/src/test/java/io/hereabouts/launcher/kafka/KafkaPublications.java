package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes straight to Kafka, as anybody may: many more publications than MQTT clients could send from the same machine. */
public final class KafkaPublications implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;

    public KafkaPublications(KafkaConnection kafka, TopicCatalogue topics) {
        Map<String, Object> settings = kafka.producer("test-publications");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        this.producer = new KafkaProducer<>(settings);
        this.topic = topics.publications();
    }

    /** At QoS 1. Completes with whether Kafka has acknowledged it. */
    public CompletableFuture<Boolean> publish(String publisher, String mqttTopic, String payload, String entity) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        byte[] value = Framing.encode(Publication.newBuilder()
                .setTopic(mqttTopic)
                .setPublicationId(payload)
                .setPublisher(publisher)
                .setEdge("")
                .setQos(1)
                .setRetain(false)
                .setEventTime(0)
                .setUserProperties(List.of())
                .setPayload(ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)))
                .build());
        var unused = producer.send(
                new ProducerRecord<>(topic, entity.getBytes(StandardCharsets.UTF_8), value),
                (metadata, failure) -> answer.complete(failure == null));
        return answer;
    }

    @Override
    public void close() {
        producer.close();
    }
}
