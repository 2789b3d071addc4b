package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.retained.RetainedTable;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidOffsetException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes publications that are to be retained: to {@code publications} first, because it is known only then where they
 * stand in the order of all edges, then to {@code retained} with that position. Who is told that both are in Kafka may
 * acknowledge. Thread-safe; never blocks.
 */
public final class RetainedWriter {

    private static final Logger LOG = LoggerFactory.getLogger(RetainedWriter.class);

    private final PublicationWriter publications;
    private final EdgeProducer producer;
    private final String topic;
    private final int partitions;
    private final RetainedTable table;

    /**
     * @param producer for what has to be written again
     * @param topic {@code retained}
     * @param table whose memory what is on its way will take
     */
    public RetainedWriter(PublicationWriter publications, EdgeProducer producer, String topic, RetainedTable table) {
        this.publications = publications;
        this.producer = producer;
        this.topic = topic;
        this.partitions = producer.partitionsOf(topic);
        this.table = table;
    }

    /** Whether there is memory to retain a record of this length under the key. */
    public boolean hasRoom(RetainedKey key, int framed) {
        return table.hasRoom(key, framed);
    }

    /**
     * Completes when Kafka has the publication and what it makes of the retained one.
     *
     * @param clears whether it leaves nothing retained
     */
    public CompletableFuture<Void> write(int qos, EntityId entity, byte[] publication, String name, boolean clears) {
        RetainedKey key = new RetainedKey(name, entity.value());
        long bytes = clears ? 0 : RetainedTable.bytes(key, publication.length);
        table.reserve(bytes);
        return publications
                .write(qos, entity, publication, (by, at, done) -> {
                    if (at.offset() < 0) {
                        done.completeExceptionally(
                                new InvalidOffsetException("Kafka does not say where the publication is"));
                        return;
                    }
                    by.send(record(key, at, clears ? null : publication), (offset, failure) -> {
                        if (failure == null) {
                            done.complete(null);
                        } else {
                            done.completeExceptionally(failure);
                        }
                    });
                })
                .whenComplete((ok, failure) -> table.reserve(-bytes));
    }

    /**
     * Writes again what stands under a key, because something older was written after it.
     *
     * @param publication null if nothing is retained
     */
    void writeAgain(RetainedKey key, SourcePosition at, byte @Nullable [] publication) {
        producer.send(record(key, at, publication), (offset, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "{} has an older publication than it should, until an edge starts: {}",
                        topic,
                        failure.toString());
            }
        });
    }

    private ProducerRecord<byte[], byte[]> record(RetainedKey key, SourcePosition at, byte @Nullable [] value) {
        byte[] bytes = key.bytes();
        return new ProducerRecord<>(topic, Partitions.partitionOf(bytes, partitions), null, bytes, value, at.headers());
    }
}
