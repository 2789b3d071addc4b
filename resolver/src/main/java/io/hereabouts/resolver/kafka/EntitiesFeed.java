package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.ops.HealthCheck;
import io.hereabouts.schemas.record.EntityRecords;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a world in memory what the Kafka topic {@code entities} says: all of it as one change set at the start, then
 * each batch as one.
 *
 * <p>The version of the world is the sum of the positions in the topic's partitions, so that two resolvers that have
 * read the same say the same. A record that is not an entity is counted and skipped, and so is a batch that fails for any
 * other reason; while the topic is first read, a failure begins that anew.
 */
public final class EntitiesFeed implements AutoCloseable, HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(EntitiesFeed.class);
    private static final int LARGEST_BATCH = 50_000;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final InMemoryWorld world;
    private final ResolverMetrics metrics;
    private final WholeTopic topic;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hereabouts-entities");

    private volatile boolean closing;
    private long skipped;

    private EntitiesFeed(KafkaConnection kafka, TopicCatalogue topics, InMemoryWorld world, MeterRegistry meters) {
        this.world = world;
        this.metrics = new ResolverMetrics(meters);
        Map<String, Object> settings = kafka.consumer("hereabouts-entities");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 20_000);
        this.topic = new WholeTopic(settings, WholeTopic.partitions(topics.entities(), topics.partitions()));
        thread.setDaemon(true);
    }

    /** Starts to feed the world, which nobody else may change from now on. */
    public static EntitiesFeed start(
            KafkaConnection kafka, TopicCatalogue topics, InMemoryWorld world, MeterRegistry meters) {
        EntitiesFeed feed = new EntitiesFeed(kafka, topics, world, meters);
        feed.thread.start();
        return feed;
    }

    /** The version that a world has when it has read the topic to its present end. */
    static long endVersion(KafkaConnection kafka, TopicCatalogue topics) {
        try (WholeTopic topic = new WholeTopic(
                kafka.consumer("hereabouts-entities-end"),
                WholeTopic.partitions(topics.entities(), topics.partitions()))) {
            return sum(topic.ends());
        }
    }

    /** Waits until the world has all that the topic held when the feed was started; false if it took longer. */
    public boolean awaitReady(Duration atMost) throws InterruptedException {
        return ready.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<String> dead() {
        return thread.isAlive() ? Optional.empty() : Optional.of("the thread " + thread.getName() + " has ended");
    }

    @Override
    public List<String> notReady() {
        return ready.getCount() == 0 ? List.of() : List.of("the entities are being read from Kafka");
    }

    private void run() {
        while (!closing && ready.getCount() > 0) {
            try {
                load();
            } catch (KafkaException e) {
                retry(e);
            } catch (RuntimeException e) {
                bug("entities cannot be loaded, begins again", e);
            }
        }
        while (!closing) {
            try {
                follow();
            } catch (KafkaException e) {
                retry(e);
            } catch (RuntimeException e) {
                bug("a batch of entities is passed over", e);
            }
        }
    }

    private void load() {
        ChangeSet.Builder changes = ChangeSet.builder();
        if (topic.readToEnd(record -> read(record, changes), () -> closing).isEmpty()) {
            return;
        }
        apply(changes);
        ready.countDown();
    }

    private void follow() {
        ChangeSet.Builder changes = ChangeSet.builder();
        ConsumerRecords<byte[], byte[]> records = topic.next();
        try {
            while (!records.isEmpty()) {
                records.forEach(record -> read(record, changes));
                if (changes.size() >= LARGEST_BATCH) {
                    break;
                }
                // an import comes in many small batches: what is there already is one change
                records = topic.nextIfAny();
            }
        } finally {
            // what was read does not come again, so it counts even if more could not be read
            if (changes.size() > 0) {
                apply(changes);
            }
        }
    }

    private void apply(ChangeSet.Builder changes) {
        world.apply(changes.build(), sum(topic.positions()));
        if (skipped > 0) {
            LOG.warn("skipped {} records that are not entities of a world in memory", skipped);
            skipped = 0;
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record, ChangeSet.Builder changes) {
        if (record.key() != null && Keys.isProbe(record.key())) {
            return;
        }
        try {
            if (record.key() == null) {
                throw new UndecodableException("no key");
            }
            String id = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null) {
                changes.delete(EntityId.of(id));
            } else {
                changes.upsert(EntityRecords.fromRecord(id, Framing.decode(record.value(), Entity.class)));
            }
        } catch (UndecodableException | IllegalArgumentException e) {
            skipped++;
            metrics.dropped("undecodable_entity");
            LOG.debug("record {} of {}: {}", record.offset(), record.topic(), e.getMessage());
        }
    }

    private static long sum(Map<TopicPartition, Long> positions) {
        return positions.values().stream().mapToLong(Long::longValue).sum();
    }

    private void retry(KafkaException e) {
        LOG.warn("entities cannot be read, tries again: {}", e.toString());
        pause();
    }

    /** The thread outlives what should not happen, or the world would stand still and nobody know. */
    private void bug(String consequence, RuntimeException e) {
        metrics.dropped("bad_batch");
        LOG.error(consequence, e);
        pause();
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        } catch (InterruptedException interrupted) {
            closing = true;
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        topic.close();
    }
}
