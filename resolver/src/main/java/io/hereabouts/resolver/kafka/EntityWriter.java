package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ids and categories of a world whose geometry is in PostGIS to the Kafka topic {@code entities}. Sends ahead
 * as far as the producer's buffer allows; {@link #flush} says whether Kafka has all of it. For one thread.
 */
final class EntityWriter implements AutoCloseable {

    private final TopicCatalogue topics;
    private final long worldVersion;
    private final LongConsumer progress;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /**
     * A writer for a world in this version.
     *
     * @param progress told how many records Kafka has acknowledged, on another thread
     */
    EntityWriter(KafkaConnection kafka, TopicCatalogue topics, long worldVersion, LongConsumer progress) {
        this.topics = topics;
        this.worldVersion = worldVersion;
        this.progress = progress;
        Map<String, Object> settings = kafka.producer("hereabouts-entities");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * KafkaConnection.MAX_FILTER_RECORD_BYTES);
        this.producer = new KafkaProducer<>(settings);
    }

    /**
     * Adds or replaces an entity.
     *
     * @throws KafkaException if this one or one before could not be written
     */
    void upsert(PhysicalEntity entity) {
        Entity record = new Entity(
                worldVersion, entity.categories().stream().map(Category::path).toList(), null);
        send(entity.id(), Framing.encode(record));
    }

    /**
     * Removes an entity.
     *
     * @throws KafkaException if this one or one before could not be written
     */
    void delete(EntityId id) {
        send(id, null);
    }

    /**
     * Waits until Kafka has everything.
     *
     * @throws KafkaException if something could not be written
     */
    void flush() {
        producer.flush();
        check();
    }

    private void send(EntityId id, byte @Nullable [] value) {
        check();
        byte[] key = id.bytes();
        int partition = Partitions.partitionOf(key, topics.entityPartitions());
        var unused = producer.send(new ProducerRecord<>(topics.entities(), partition, key, value), (ack, failed) -> {
            if (failed == null) {
                progress.accept(acknowledged.incrementAndGet());
            } else {
                failure.compareAndSet(null, new KafkaException("entity " + id + " was not written", failed));
            }
        });
    }

    private void check() {
        Exception failed = failure.get();
        if (failed != null) {
            throw new KafkaException(failed.getMessage(), failed.getCause());
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
