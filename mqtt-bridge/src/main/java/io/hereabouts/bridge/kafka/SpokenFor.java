package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The entities of some neighborhoods, as resolvers write them for routers: the slices in the Kafka topic of filters, of
 * which an edge keeps those that its security file names. Reads the whole topic, keeps little of it. Safe for any thread to ask.
 */
public final class SpokenFor implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicCatalogue topics;
    private final Supplier<Generations> generations;
    private final HeldSlices slices = new HeldSlices();
    private final ReaderThread thread;
    private final Map<TopicPartition, Integer> assigned = new HashMap<>();
    private Set<NeighborhoodId> reading = Set.of();
    private volatile Set<NeighborhoodId> wanted;

    private SpokenFor(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            Supplier<Generations> generations,
            Set<NeighborhoodId> first) {
        this.wanted = Set.copyOf(first);
        this.consumer = new KafkaConsumer<>(kafka.committedConsumer(clientId));
        this.topics = topics;
        this.generations = generations;
        this.thread = new ReaderThread(clientId, consumer, this::step);
    }

    /** Begins to read. */
    public static SpokenFor start(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            Supplier<Generations> generations,
            Set<NeighborhoodId> first) {
        SpokenFor started = new SpokenFor(kafka, clientId, topics, generations, first);
        started.thread.start();
        return started;
    }

    /** These are of interest from now on. */
    public void want(Set<NeighborhoodId> neighborhoods) {
        wanted = Set.copyOf(neighborhoods);
    }

    /** Whether the entity is in the neighborhood, as far as that was read. */
    public boolean contains(NeighborhoodId neighborhood, EntityId entity) {
        if (!wanted.contains(neighborhood)) {
            return false;
        }
        return slices.contains(generations.get().current(), neighborhood, entity);
    }

    private void step() {
        follow();
        consumer.poll(POLL).forEach(this::apply);
    }

    /** Takes the partitions of all generations; from the beginning if there is something new to be found in them. */
    private void follow() {
        Set<NeighborhoodId> now = wanted;
        Map<TopicPartition, Integer> next = topics.filterPartitions(generations.get());
        boolean rewinds = !reading.containsAll(now);
        if (!next.equals(assigned) || rewinds) {
            Set<TopicPartition> added = new HashSet<>(next.keySet());
            if (!rewinds) {
                added.removeAll(assigned.keySet());
            }
            consumer.assign(next.keySet());
            consumer.seekToBeginning(added);
            assigned.clear();
            assigned.putAll(next);
        }
        reading = now;
        slices.retain(now, assigned.values());
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        Integer generation = assigned.get(new TopicPartition(record.topic(), record.partition()));
        if (generation != null) {
            var unused = slices.apply(record, generation, reading);
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
