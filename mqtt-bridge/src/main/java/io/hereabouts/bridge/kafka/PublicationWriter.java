package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.Partitions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Writes publications to Kafka, those of one entity in the order they are handed in. Publications of QoS 0 have nobody
 * who waits for them: they share a bounded number of bytes. Thread-safe; never blocks.
 */
public final class PublicationWriter {

    private final EdgeProducer producer;
    private final String topic;
    private final int partitions;
    private final long qos0Bytes;
    private final AtomicLong qos0Underway = new AtomicLong();

    /** @param qos0Bytes how many bytes of QoS 0 may be on their way at a time */
    public PublicationWriter(EdgeProducer producer, String topic, int partitions, long qos0Bytes) {
        this.producer = producer;
        this.topic = topic;
        this.partitions = partitions;
        this.qos0Bytes = qos0Bytes;
    }

    /** Completes when Kafka has the publication, or exceptionally when it does not. */
    public CompletableFuture<Void> write(EntityId entity, byte[] publication) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        byte[] key = entity.bytes();
        producer.send(topic, Partitions.partitionOf(key, partitions), key, publication, failure -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }

    /** As {@link #write}, for QoS 0: fails at once when too much is on its way. */
    public CompletableFuture<Void> writeQos0(EntityId entity, byte[] publication) {
        long bytes = publication.length;
        if (qos0Underway.addAndGet(bytes) > qos0Bytes) {
            qos0Underway.addAndGet(-bytes);
            return CompletableFuture.failedFuture(new TimeoutException("QoS 0 buffer is full"));
        }
        return write(entity, publication).whenComplete((ok, failure) -> qos0Underway.addAndGet(-bytes));
    }
}
