package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.kafka.ChangeSetAssembly.Numbered;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.ChangeSetHeader;
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
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a world in memory what the Kafka topic {@code entities} says: all of it as one change set at the start, then one
 * change set after the other, as {@link WorldWriter} made them. So two resolvers in one version have the same world.
 *
 * <p>A record that is not of such a change set is counted and skipped, and so is a batch that fails for any other reason;
 * while the topic is first read, a failure begins that anew.
 */
public final class EntitiesFeed implements AutoCloseable, HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(EntitiesFeed.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final InMemoryWorld world;
    private final ResolverMetrics metrics;
    private final WholeTopic topic;
    private final TopicEnds committed;
    private final TopicEnds written;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hereabouts-entities");

    private volatile boolean closing;
    private long skipped;
    private ChangeSetAssembly assembly = new ChangeSetAssembly();
    private @Nullable Barrier barrier;

    private EntitiesFeed(KafkaConnection kafka, TopicCatalogue topics, InMemoryWorld world, MeterRegistry meters) {
        this.world = world;
        this.metrics = new ResolverMetrics(meters);
        Map<String, Object> settings = kafka.committedConsumer("hereabouts-entities");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 20_000);
        List<TopicPartition> partitions = WholeTopic.partitions(topics.entities(), topics.entityPartitions());
        this.topic = new WholeTopic(settings, partitions);
        this.committed = new TopicEnds(kafka.committedConsumer("hereabouts-entities-committed"), partitions);
        this.written = new TopicEnds(kafka.consumer("hereabouts-entities-written"), partitions);
        thread.setDaemon(true);
    }

    /** Starts to feed the world, which nobody else may change from now on. */
    public static EntitiesFeed start(
            KafkaConnection kafka, TopicCatalogue topics, InMemoryWorld world, MeterRegistry meters) {
        EntitiesFeed feed = new EntitiesFeed(kafka, topics, world, meters);
        feed.thread.start();
        return feed;
    }

    /** At least the version that a world has when it has read the topic to these ends; grows with each record. */
    static long version(Map<TopicPartition, Long> ends) {
        return ends.values().stream().mapToLong(Long::longValue).sum();
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
        assembly = new ChangeSetAssembly();
        barrier = null;
        if (topic.readToEnd(this::read, () -> closing).isEmpty()) {
            return;
        }
        ChangeSet.Builder all = ChangeSet.builder();
        long version = 0;
        while (!closing) {
            for (Numbered next = next(); next != null; next = next()) {
                next.changes().upserts().values().forEach(all::upsert);
                next.changes().deletes().forEach(all::delete);
                version = next.version();
            }
            if (assembly.last() == 0) {
                world.apply(all.build(), version);
                ready.countDown();
                return;
            }
            topic.next().forEach(this::read);
        }
    }

    private void follow() {
        topic.next().forEach(this::read);
        for (Numbered next = next(); next != null; next = next()) {
            world.apply(next.changes(), next.version());
        }
    }

    /** The next change set that is whole and behind which no other can come; null if there is none yet. */
    private @Nullable Numbered next() {
        if (assembly.last() == 0) {
            return null;
        }
        Barrier reached = barrier;
        if (reached == null) {
            reached = new Barrier(assembly.last(), committed.now());
            barrier = reached;
        }
        if (!reached.isBehind(topic.positions())) {
            return null;
        }
        Numbered next = assembly.next(reached.known());
        if (next == null) {
            barrier = null;
            // no transaction is open: what is missing of the last one does not come any more
            return version(reached.ends()) == version(written.now()) ? assembly.force() : null;
        }
        if (next.version() == reached.known()) {
            barrier = null;
        }
        return next;
    }

    /**
     * A point up to which the topic has to be read.
     *
     * @param known the last change set that was known of by then
     * @param ends of what was committed in each partition after that
     */
    private record Barrier(long known, Map<TopicPartition, Long> ends) {
        boolean isBehind(Map<TopicPartition, Long> positions) {
            return ends.entrySet().stream().allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue());
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() != null && Keys.isProbe(record.key())) {
            return;
        }
        ChangeSetHeader header = null;
        try {
            header = ChangeSetHeader.of(record.headers())
                    .orElseThrow(() -> new UndecodableException("not of a change set of a world in memory"));
            assembly.add(header, change(record));
        } catch (UndecodableException | IllegalArgumentException e) {
            if (header != null) {
                assembly.add(header, changes -> {});
            }
            if (skipped++ == 0) {
                LOG.warn(
                        "skips records that are not entities, such as {} of partition {} of {}: {}",
                        record.offset(),
                        record.partition(),
                        record.topic(),
                        e.getMessage());
            }
            metrics.dropped("undecodable_entity");
        }
    }

    private static Consumer<ChangeSet.Builder> change(ConsumerRecord<byte[], byte[]> record)
            throws UndecodableException {
        if (record.key() == null) {
            throw new UndecodableException("no key");
        }
        EntityId id = EntityId.of(new String(record.key(), StandardCharsets.UTF_8));
        if (record.value() == null) {
            return changes -> changes.delete(id);
        }
        PhysicalEntity entity = EntityRecords.fromRecord(id.value(), Framing.decode(record.value(), Entity.class));
        return changes -> changes.upsert(entity);
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
        committed.close();
        written.close();
    }
}
