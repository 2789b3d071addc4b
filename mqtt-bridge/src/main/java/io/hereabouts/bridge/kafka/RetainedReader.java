package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.delivery.SeenDeliveries;
import io.hereabouts.bridge.retained.HandOut;
import io.hereabouts.bridge.retained.Members;
import io.hereabouts.bridge.retained.RetainedDeliveries;
import io.hereabouts.bridge.retained.RetainedFeed;
import io.hereabouts.bridge.retained.RetainedTable;
import io.hereabouts.bridge.retained.Wanted;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the Kafka topic of retained publications, and, once there are some, the slices of the neighborhoods that this edge
 * has subscriptions to: the whole topic of filters, again from its beginning for a neighborhood that was not read yet, of
 * which little is kept. For a new subscription it reads both to where they ended when it asked, then says what is to be
 * handed out. All on one thread of its own, so that nobody waits for it.
 */
public final class RetainedReader implements RetainedDeliveries.Requests, AutoCloseable {

    /** Who is told what was found; called on the reader's thread. */
    public interface Output {
        void handOut(List<HandOut> some);

        void left(NeighborhoodId neighborhood, Collection<String> entities);
    }

    private static final Logger LOG = LoggerFactory.getLogger(RetainedReader.class);
    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration WAITING = Duration.ofMillis(50);
    private static final Duration LOAD_POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration JOIN = Duration.ofSeconds(5);
    private static final long SWEEP_MILLIS = 60_000;

    /** Hand-outs at a time: between them the edge's thread does other things. */
    private static final int AT_A_TIME = 200;

    /** Subscriptions that wait until all has been read that there was when they asked. */
    private record Barrier(long since, Map<TopicPartition, Long> ends) {}

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicCatalogue topics;
    private final RetainedTable table;
    private final Clock clock;
    private final HeldSlices slices = new HeldSlices();
    private final RetainedLog log;
    private final Queue<Wanted> asked = new ConcurrentLinkedQueue<>();
    private final Set<TopicPartition> retained = new HashSet<>();
    private final Map<TopicPartition, Integer> filters = new HashMap<>();
    /** Where filters ended when a neighborhood was new: what is before is no news. */
    private final Map<NeighborhoodId, Map<TopicPartition, Long>> beginnings = new HashMap<>();

    private final RetainedFeed feed;
    private final ReaderThread thread;
    private final String name;
    private Set<NeighborhoodId> reading = Set.of();
    private @Nullable Barrier barrier;
    private long sweepAt;
    private volatile Set<NeighborhoodId> followed = Set.of();
    private volatile boolean idle;
    private volatile @Nullable Running running;

    /** What it works with once the rest of the edge is there. */
    private record Running(
            Supplier<Generations> generations, RoutedUpTo routed, RetainedWriter writer, Output output) {}

    private RetainedReader(
            KafkaConnection kafka,
            String name,
            TopicCatalogue topics,
            RetainedTable table,
            Duration grace,
            Clock clock,
            Runnable undecodable) {
        this.consumer = new KafkaConsumer<>(kafka.committedConsumer(name));
        this.topics = topics;
        this.table = table;
        this.clock = clock;
        this.log = new RetainedLog(table, undecodable);
        this.feed = new RetainedFeed(table, members(), grace.toMillis());
        this.name = name;
        this.thread = new ReaderThread(name, consumer, this::step, () -> {}, this::end, JOIN);
    }

    /**
     * Reads the topic of retained publications to its end.
     *
     * @param grace how long after a publication is in Kafka its retained record may follow
     * @param undecodable told of each record that cannot be read and is left out
     */
    public static RetainedReader load(
            KafkaConnection kafka,
            String name,
            TopicCatalogue topics,
            RetainedTable table,
            Duration grace,
            Clock clock,
            Runnable undecodable) {
        RetainedReader reader = new RetainedReader(kafka, name, topics, table, grace, clock, undecodable);
        try {
            reader.load();
            return reader;
        } catch (RuntimeException e) {
            reader.consumer.close();
            throw e;
        }
    }

    private void load() {
        consumer.partitionsFor(topics.retained())
                .forEach(p -> retained.add(new TopicPartition(p.topic(), p.partition())));
        consumer.assign(retained);
        consumer.seekToBeginning(retained);
        Map<TopicPartition, Long> ends = consumer.endOffsets(retained);
        long readAt = System.nanoTime();
        while (!isRead(ends)) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(LOAD_POLL);
            records.forEach(record -> apply(record, clock.millis()));
            if (!records.isEmpty()) {
                readAt = System.nanoTime();
            } else if (System.nanoTime() - readAt > SILENCE.toNanos()) {
                throw new IllegalStateException("Kafka does not say what is retained");
            }
        }
        table.expire(clock.millis());
    }

    /**
     * Goes on reading, and begins to say what is to be handed out.
     *
     * @param seen the deliveries that the edge has had
     * @param deliveriesRead whether the edge has dealt with its own Kafka topic up to an offset
     */
    public void start(
            KafkaConnection kafka,
            String deliveries,
            LongPredicate deliveriesRead,
            SeenDeliveries seen,
            Supplier<Generations> generations,
            RetainedWriter writer,
            Output output) {
        running = new Running(
                generations,
                new RoutedUpTo(kafka, name + "-routed", topics, deliveries, deliveriesRead, seen, generations.get()),
                writer,
                output);
        thread.start();
    }

    @Override
    public void subscribed(Wanted wanted) {
        asked.add(wanted);
        if (idle) {
            consumer.wakeup();
        }
    }

    @Override
    public void follow(Set<NeighborhoodId> neighborhoods) {
        followed = Set.copyOf(neighborhoods);
    }

    /** False once nothing is read any more. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    private void end() {
        Running with = running;
        if (with != null) {
            with.routed().close();
        }
    }

    private void step() throws InterruptedException {
        Running with = Objects.requireNonNull(running);
        try {
            // first: who asks from now on and sees it wakes this thread
            idle = barrier == null && !feed.isWaiting();
            for (Wanted next = asked.poll(); next != null; next = asked.poll()) {
                feed.subscribed(next, clock.millis());
            }
            assign(with.generations().get());
            if (barrier == null && feed.hasFresh()) {
                barrier = new Barrier(feed.lastFresh(), consumer.endOffsets(consumer.assignment()));
            }
            Duration wait = barrier != null || feed.isWaiting() ? WAITING : IDLE;
            ConsumerRecords<byte[], byte[]> records = consumer.poll(wait);
            idle = false;
            records.forEach(record -> apply(record, clock.millis()));
            long now = clock.millis();
            log.writeAgain(with.writer());
            Barrier waitsFor = barrier;
            if (waitsFor != null && isRead(waitsFor.ends())) {
                barrier = null;
                feed.serve(waitsFor.since(), now);
            }
            feed.tick(now);
            if (now >= sweepAt) {
                sweepAt = now + SWEEP_MILLIS;
                table.expire(now);
            }
            if (feed.isWaiting()) {
                with.routed().look(with.generations().get());
                handOut(
                        feed.due(
                                r -> with.routed()
                                        .isReached(r.position(), r.key().entity()),
                                now),
                        with.output());
            }
        } catch (OffsetOutOfRangeException e) {
            LOG.warn("{} begins anew: {}", name, e.toString());
            consumer.seekToBeginning(e.partitions());
        }
    }

    private static void handOut(List<HandOut> due, Output output) {
        for (int i = 0; i < due.size(); i += AT_A_TIME) {
            output.handOut(due.subList(i, Math.min(due.size(), i + AT_A_TIME)));
        }
    }

    /** The neighborhoods whose slices are of interest; no other ones while subscriptions wait until these are read. */
    private Set<NeighborhoodId> wanted() {
        if (barrier != null) {
            return reading;
        }
        Set<NeighborhoodId> wanted = new HashSet<>();
        if (!table.isEmpty()) {
            wanted.addAll(followed);
            wanted.addAll(feed.neighborhoods());
            wanted.remove(NeighborhoodId.EVERYWHERE);
        }
        return wanted;
    }

    /** Takes the filters of all generations, once there is something to hand out; from the beginning for new neighborhoods. */
    private void assign(Generations generations) {
        Set<NeighborhoodId> wanted = wanted();
        Map<TopicPartition, Integer> next = wanted.isEmpty() ? Map.of() : topics.filterPartitions(generations);
        boolean rewinds = !reading.containsAll(wanted);
        if (rewinds || !next.equals(filters)) {
            Set<TopicPartition> added = new HashSet<>(next.keySet());
            if (!rewinds) {
                added.removeAll(filters.keySet());
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(added);
            Set<TopicPartition> all = new HashSet<>(retained);
            all.addAll(next.keySet());
            consumer.assign(all);
            consumer.seekToBeginning(added);
            for (NeighborhoodId neighborhood : wanted) {
                if (!reading.contains(neighborhood)) {
                    beginnings.put(neighborhood, ends);
                }
            }
            filters.clear();
            filters.putAll(next);
        }
        reading = Set.copyOf(wanted);
        slices.retain(reading, filters.values());
        beginnings.keySet().retainAll(reading);
    }

    private boolean isRead(Map<TopicPartition, Long> ends) {
        Set<TopicPartition> assigned = consumer.assignment();
        return ends.entrySet().stream()
                .allMatch(end -> !assigned.contains(end.getKey()) || consumer.position(end.getKey()) >= end.getValue());
    }

    private void apply(ConsumerRecord<byte[], byte[]> record, long now) {
        TopicPartition from = new TopicPartition(record.topic(), record.partition());
        if (Keys.isProbe(record.key()) || record.key() == null) {
            return;
        }
        Integer generation = filters.get(from);
        if (generation == null) {
            log.apply(record, feed);
            return;
        }
        slices.apply(record, generation, reading).ifPresent(change -> {
            Running with = running;
            if (with != null && !change.left().isEmpty()) {
                with.output().left(change.neighborhood(), change.left());
            }
            long beginning =
                    beginnings.getOrDefault(change.neighborhood(), Map.of()).getOrDefault(from, 0L);
            if (record.offset() >= beginning && !change.entered().isEmpty()) {
                feed.entered(change.neighborhood(), change.entered(), now);
            }
        });
    }

    private Members members() {
        return new Members() {
            @Override
            public boolean contains(NeighborhoodId neighborhood, String entity) {
                Running with = running;
                return with != null
                        && with.generations().get().all().stream()
                                .anyMatch(generation -> slices.contains(generation, neighborhood, entity));
            }

            @Override
            public int count(NeighborhoodId neighborhood) {
                return slices.count(neighborhood);
            }

            @Override
            public Iterable<String> of(NeighborhoodId neighborhood) {
                return slices.of(neighborhood);
            }
        };
    }

    @Override
    public void close() {
        thread.close();
    }
}
