package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.schemas.kafka.ChangeSetHeader;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.EntityRecords;
import io.hereabouts.schemas.record.Framing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes worlds in memory: writes change sets to the Kafka topic {@code entities}, each in one transaction and with a
 * version of its own, so that every {@link EntitiesFeed} applies the same change sets in the same order, each as a whole.
 *
 * <p>There is one writer at a time. A second one ends the first, whose change set on the way is then not made. For one
 * thread.
 */
public final class WorldWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorldWriter.class);
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

    private final TopicCatalogue topics;
    private final TopicEnds written;
    private final TopicEnds committed;
    private final KafkaProducer<byte[], byte[]> producer;

    private WorldWriter(KafkaConnection kafka, TopicCatalogue topics) {
        this.topics = topics;
        List<TopicPartition> partitions = WholeTopic.partitions(topics.entities(), topics.entityPartitions());
        this.written = new TopicEnds(kafka.consumer("hereabouts-world-written"), partitions);
        this.committed = new TopicEnds(kafka.committedConsumer("hereabouts-world-committed"), partitions);
        Map<String, Object> settings = kafka.producer("hereabouts-world");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * KafkaConnection.MAX_FILTER_RECORD_BYTES);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + "world");
        this.producer = new KafkaProducer<>(settings);
    }

    /**
     * Becomes the only writer.
     *
     * @throws KafkaException if Kafka does not answer in time
     */
    public static WorldWriter open(KafkaConnection kafka, TopicCatalogue topics) {
        WorldWriter writer = new WorldWriter(kafka, topics);
        try {
            writer.producer.initTransactions();
            return writer;
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /**
     * Makes the next version: all of the change set or, if an exception is thrown, nothing of it; only if Kafka does not
     * confirm a commit twice in time, it may have been made all the same. Who begins to read after that reads it.
     *
     * @return the version, later than all before; 0 for an empty change set, which makes none
     * @throws KafkaException if Kafka does not take it, or there is another writer
     */
    public long apply(ChangeSet changes) {
        if (changes.isEmpty()) {
            return 0;
        }
        ChangeSetHeader header = new ChangeSetHeader(EntitiesFeed.version(written.now()) + 1, changes.size());
        Map<TopicPartition, Long> offsets = new ConcurrentHashMap<>();
        try {
            producer.beginTransaction();
            for (PhysicalEntity entity : changes.upserts().values()) {
                send(entity.id(), Framing.encode(EntityRecords.toRecord(entity, header.version())), header, offsets);
            }
            for (EntityId id : changes.deletes()) {
                send(id, null, header, offsets);
            }
            commit();
            awaitVisible(offsets);
            return header.version();
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw new KafkaException("the world was not changed: another process has begun to change it", e);
        } catch (KafkaException e) {
            abort(e);
            throw e;
        }
    }

    /** Asks again once: a commit that was not confirmed in time may have been made, and is not made twice. */
    private void commit() {
        try {
            producer.commitTransaction();
        } catch (TimeoutException e) {
            producer.commitTransaction();
        }
    }

    /** Kafka confirms a commit before it has marked all partitions; until then nobody reads it there. */
    private void awaitVisible(Map<TopicPartition, Long> offsets) {
        long end = System.nanoTime() + VISIBLE_WITHIN.toNanos();
        while (System.nanoTime() < end) {
            Map<TopicPartition, Long> ends = committed.now();
            if (offsets.entrySet().stream().allMatch(o -> ends.getOrDefault(o.getKey(), 0L) > o.getValue())) {
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        LOG.warn(
                "the world was changed, but readers will see that later than {} s from now",
                VISIBLE_WITHIN.toSeconds());
    }

    private void send(EntityId id, byte @Nullable [] value, ChangeSetHeader header, Map<TopicPartition, Long> offsets) {
        byte[] key = id.bytes();
        int partition = Partitions.partitionOf(key, topics.entityPartitions());
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.entities(), partition, key, value);
        header.addTo(record.headers());
        var unused = producer.send(record, (ack, failure) -> {
            // a failure comes with the commit
            if (failure == null) {
                offsets.merge(new TopicPartition(ack.topic(), ack.partition()), ack.offset(), Math::max);
            }
        });
    }

    private void abort(KafkaException cause) {
        try {
            producer.abortTransaction();
        } catch (RuntimeException e) {
            // Kafka aborts it after a while, or when the next writer comes
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        written.close();
        committed.close();
    }
}
