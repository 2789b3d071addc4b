package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.loop.Taken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the deliveries of an edge have come to its broker, kept in Kafka with the marks of what was seen by then. A
 * position is written when the broker has everything before it, at most once in {@link #INTERVAL}: what an edge that is
 * killed had handed over since is handed over again. Owned by the reader's thread.
 */
final class DeliveryProgress {

    /** How much may be repeated after a kill. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryProgress.class);
    private static final Duration LAST = Duration.ofSeconds(5);

    /** So many batches may be on their way to the broker, which does not say when it has too much. */
    private static final int MAX_STEPS = 16;

    private record Step(Map<TopicPartition, Long> positions, Taken taken) {}

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Set<TopicPartition> partitions;
    private final Deque<Step> steps = new ArrayDeque<>();
    private Map<TopicPartition, OffsetAndMetadata> toCommit = Map.of();
    private String marksBefore = "";
    private long committedAt = System.nanoTime();

    /** @param consumer with a group of its own, and these partitions assigned */
    DeliveryProgress(KafkaConsumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions) {
        this.consumer = consumer;
        this.partitions = Set.copyOf(partitions);
    }

    /**
     * Goes to where an earlier run came to.
     *
     * @param marks gets what it had seen by then
     * @return false if there was none, or its partitions were others
     */
    boolean resume(Consumer<String> marks) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(consumer.committed(partitions));
        committed.values().removeIf(at -> at == null);
        if (!committed.keySet().equals(partitions)) {
            return false;
        }
        committed.forEach((partition, at) -> {
            consumer.seek(partition, at);
            marksBefore = at.metadata();
            marks.accept(marksBefore);
        });
        return true;
    }

    /** Says where reading begins, so that a run that is killed at once can be continued from there. */
    void begin() {
        consumer.commitSync(offsets(positions(), marksBefore));
    }

    /** The records before the consumer's position have been handed over. */
    void handedOver(Taken taken) {
        steps.add(new Step(positions(), taken));
    }

    /**
     * Says how far the broker has everything, if that has changed and it is time to.
     *
     * @param atMost how long this may take
     * @return false if the broker has to catch up before it gets more
     */
    boolean mayGoOn(Duration atMost) {
        if (steps.size() >= MAX_STEPS) {
            awaitFirst(atMost);
        }
        advance();
        if (!toCommit.isEmpty() && System.nanoTime() - committedAt >= INTERVAL.toNanos()) {
            committedAt = System.nanoTime();
            Map<TopicPartition, OffsetAndMetadata> offsets = toCommit;
            toCommit = Map.of();
            consumer.commitAsync(offsets, (done, failure) -> {
                if (failure != null) {
                    LOG.debug("Kafka did not take how far deliveries came: {}", failure.toString());
                    if (toCommit.isEmpty()) {
                        toCommit = offsets;
                    }
                }
            });
        }
        return steps.size() < MAX_STEPS;
    }

    /** Says it for the last time, after waiting a while for the broker. */
    void end() {
        long until = System.nanoTime() + LAST.toNanos();
        while (!steps.isEmpty() && System.nanoTime() < until) {
            awaitFirst(LAST);
            advance();
        }
        try {
            commitNow();
        } catch (KafkaException e) {
            LOG.warn("how far deliveries came is not in Kafka, the last ones will be repeated: {}", e.toString());
        }
    }

    private void commitNow() {
        if (toCommit.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(toCommit, LAST);
        } catch (WakeupException e) {
            // the call that was meant to end the reading came late
            consumer.commitSync(toCommit, LAST);
        }
    }

    private void awaitFirst(Duration atMost) {
        Step first = steps.peek();
        if (first == null) {
            return;
        }
        try {
            first.taken().byBroker().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the broker has not got it: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the broker could not take was counted as dropped: that, too, is dealt with. */
    private void advance() {
        for (Step step = steps.peek(); step != null && step.taken().byBroker().isDone(); step = steps.peek()) {
            steps.remove();
            toCommit = offsets(step.positions(), step.taken().marks());
        }
    }

    private Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
        return positions;
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, Long> positions, String marks) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        positions.forEach((partition, position) -> offsets.put(partition, new OffsetAndMetadata(position, marks)));
        return offsets;
    }
}
