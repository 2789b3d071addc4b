package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.schemas.kafka.KafkaPing;
import io.hereabouts.schemas.kafka.PerGeneration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reads {@code interests} as a member of the consumer group. Each assignment, and each failure, begins a
 * new {@link Tenure}; a rebalance takes all partitions away first, so that what the former owner sent is in Kafka before
 * the next one reads it.
 */
public final class ResolverLoop implements PerGeneration.Part {

    private static final Logger LOG = LoggerFactory.getLogger(ResolverLoop.class);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ResolverConfig config;
    private final ResolverMetrics metrics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Answers answers;
    private final FilterWriter writer;
    private final ExecutorService workers;
    private final KafkaPing ping;
    private final TakeOver takeOver;
    private final Thread thread = new Thread(this::run, "hereabouts-resolver");
    private final CountDownLatch ready = new CountDownLatch(1);

    private volatile boolean current;
    private volatile boolean closing;
    private volatile Phase phase = Phase.JOINS;

    private @Nullable Owned owned;
    private boolean joined;
    private boolean mustBegin;
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private long committedAt;

    /** Where the loop stands between its group and its partitions. */
    private enum Phase {
        JOINS("waits for its group to assign partitions"),
        TAKES_OVER("takes its partitions over"),
        SERVES(""),
        SPARE("");

        private final String obstacle;

        Phase(String obstacle) {
            this.obstacle = obstacle;
        }
    }

    /** Makes the clients; {@link #start} starts the threads. */
    public ResolverLoop(ResolverConfig config, WorldModel world, ResolverMetrics metrics, int interestPartitions) {
        this.config = config;
        this.metrics = metrics;
        this.answers = new Answers(config.kafka(), config.topics(), metrics);
        this.writer = new FilterWriter(config.kafka(), config.topics(), answers);
        AtomicInteger number = new AtomicInteger();
        this.workers = Executors.newFixedThreadPool(config.threads(), work -> {
            Thread worker = new Thread(work, "hereabouts-resolver-worker-" + number.incrementAndGet());
            worker.setDaemon(true);
            return worker;
        });
        Resolving resolving = new Resolving(world, config.topics().partitions(), metrics);
        this.takeOver = new TakeOver(config, interestPartitions, writer, resolving, workers, metrics, () -> current);
        this.consumer = new KafkaConsumer<>(consumerSettings(config));
        this.ping = new KafkaPing(config.kafka(), "hereabouts-resolver-health");
    }

    private static Map<String, Object> consumerSettings(ResolverConfig config) {
        Map<String, Object> settings = config.kafka().consumer("hereabouts-resolver");
        int session = (int) config.sessionTimeout().toMillis();
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, RangeAssignor.class.getName());
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, session);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, session / 4);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        return settings;
    }

    /** Its generation of {@code filters} is the current one. */
    public void becomeCurrent() {
        current = true;
    }

    /** Joins the group. */
    public void start() {
        answers.start();
        thread.start();
    }

    /** Waits until this resolver has taken over what its group gave it, if anything; false if it took longer. */
    public boolean awaitReady(Duration atMost) throws InterruptedException {
        return ready.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<String> dead() {
        return thread.isAlive() || thread.getState() == Thread.State.NEW
                ? Optional.empty()
                : Optional.of("the thread " + thread.getName() + " has ended");
    }

    /** A spare resolver, for which there are no partitions, is ready: it would take over. */
    @Override
    public List<String> notReady() {
        List<String> reasons = new ArrayList<>(ping.problems());
        String obstacle = phase.obstacle;
        if (!obstacle.isEmpty()) {
            reasons.add(obstacle);
        }
        return reasons;
    }

    private void run() {
        consumer.subscribe(List.of(config.topics().interests()), new Listener());
        while (!closing) {
            try {
                step();
            } catch (WakeupException e) {
                LOG.debug("woken up");
            } catch (KafkaException e) {
                LOG.warn("takes over anew: {}", e.toString());
                end();
                mustBegin = true;
                pause();
            } catch (RuntimeException e) {
                LOG.error("takes over anew after an unexpected failure", e);
                end();
                mustBegin = true;
                pause();
            }
        }
        leave();
    }

    private void step() {
        Iterable<ConsumerRecord<byte[], byte[]>> records = consumer.poll(POLL);
        Owned current = owned;
        if (current != null && current.tenure().failed()) {
            end();
            mustBegin = true;
        }
        if (mustBegin) {
            begin();
            return;
        }
        if (current == null) {
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
            current.tenure().input(record);
        }
        current.tenure().tick();
        throttle(current);
        commit(current);
    }

    private void begin() {
        if (!joined) {
            phase = Phase.JOINS;
            return;
        }
        if (consumer.assignment().isEmpty()) {
            mustBegin = false;
            phase = Phase.SPARE;
            ready.countDown();
            return;
        }
        consumer.resume(consumer.assignment());
        Owned next = takeOver.begin(consumer, () -> closing);
        if (next == null) {
            return;
        }
        mustBegin = false;
        owned = next;
        phase = Phase.SERVES;
        committed = Map.of();
        metrics.takeover();
        ready.countDown();
    }

    /** What this process does not keep up with stays in Kafka. */
    private void throttle(Owned current) {
        int unfinished = current.frontier().unfinished();
        if (unfinished >= config.maxPending()) {
            consumer.pause(consumer.assignment());
        } else if (unfinished < config.maxPending() / 2 + 1
                && !consumer.paused().isEmpty()) {
            consumer.resume(consumer.paused());
        }
    }

    /** Also without progress: a commit that Kafka takes proves that this process still owns its partitions. */
    private void commit(Owned current) {
        long now = System.nanoTime();
        long sinceLast = now - committedAt;
        Map<TopicPartition, OffsetAndMetadata> positions = current.positions();
        if (sinceLast < COMMIT_NANOS
                || (positions.equals(committed)
                        && sinceLast < config.sessionTimeout().toNanos() / 5)) {
            return;
        }
        committedAt = now;
        consumer.commitAsync(positions, (offsets, failure) -> {
            if (failure == null) {
                committed = offsets;
                current.tenure().confirmed(now);
            } else {
                LOG.debug("commit failed: {}", failure.toString());
            }
        });
    }

    private void end() {
        Owned current = owned;
        owned = null;
        phase = Phase.TAKES_OVER;
        if (current != null) {
            current.end();
        }
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        } catch (InterruptedException e) {
            closing = true;
        }
    }

    /** Finishes what was decided, and says so to the group, before giving the partitions up. */
    private void handOver() {
        Owned current = owned;
        if (current == null) {
            return;
        }
        end();
        writer.flush();
        if (!current.tenure().failed()) {
            try {
                consumer.commitSync(current.positions());
            } catch (RebalanceInProgressException | CommitFailedException e) {
                LOG.debug("what was finished last is redone by the next owner: {}", e.toString());
            }
        }
    }

    private void leave() {
        try {
            handOver();
        } catch (KafkaException e) {
            LOG.warn("what was finished last is redone by the next owner: {}", e.toString());
        }
        try {
            consumer.close();
        } catch (KafkaException e) {
            LOG.warn("leaving the group failed: {}", e.toString());
        }
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        workers.shutdownNow();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(30_000);
            } else {
                consumer.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.close();
        answers.close();
        ping.close();
    }

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            joined = true;
            phase = Phase.TAKES_OVER;
            mustBegin = true;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            joined = false;
            handOver();
            phase = Phase.JOINS;
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            joined = false;
            end();
            phase = Phase.JOINS;
        }
    }

    /**
     * A tenure and what belongs to it.
     *
     * @param epoch goes into the metadata of each commit, so that no later owner takes the same
     */
    record Owned(Tenure tenure, Frontier frontier, long epoch, String interests, Readers readers) {

        Map<TopicPartition, OffsetAndMetadata> positions() {
            Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
            frontier.positions()
                    .forEach((partition, offset) -> positions.put(
                            new TopicPartition(interests, partition),
                            new OffsetAndMetadata(offset, TakeOver.metadata(epoch))));
            return positions;
        }

        void end() {
            tenure.end();
            readers.close();
        }
    }
}
