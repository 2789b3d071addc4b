package io.hereabouts.bridge.kafka;

import io.hereabouts.schemas.kafka.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaException;

/** Writes messages without entity, by topic name, for the other edges. Thread-safe; nothing blocks. */
public final class MessageWriter {

    private final EdgeProducer producer;
    private final EdgeProducer patient;
    private final String kafkaTopic;
    private final int partitions;
    private final long qos0Bytes;
    private final AtomicLong qos0Underway = new AtomicLong();

    /**
     * @param patient the one that never gives up
     * @param qos0Bytes how many bytes of QoS 0 may be on their way at a time
     */
    public MessageWriter(EdgeProducer producer, EdgeProducer patient, String kafkaTopic, long qos0Bytes) {
        this.producer = producer;
        this.patient = patient;
        this.kafkaTopic = kafkaTopic;
        this.partitions = producer.partitionsOf(kafkaTopic);
        this.qos0Bytes = qos0Bytes;
    }

    /**
     * Completes when Kafka has the message, or exceptionally when it does not. At QoS 2 it is sent until Kafka has it; at QoS 0
     * it fails at once when too much is on its way.
     */
    public CompletableFuture<Void> write(int qos, String topic, byte[] message) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (qos == 0) {
            if (qos0Underway.addAndGet(message.length) > qos0Bytes) {
                qos0Underway.addAndGet(-message.length);
                done.completeExceptionally(new KafkaException("too much of QoS 0 is on its way"));
                return done;
            }
            var unused = done.whenComplete((ok, failure) -> qos0Underway.addAndGet(-message.length));
        }
        byte[] key = topic.getBytes(StandardCharsets.UTF_8);
        (qos == 2 ? patient : producer)
                .send(kafkaTopic, Partitions.partitionOf(key, partitions), key, message, failure -> {
                    if (failure == null) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
        return done;
    }
}
