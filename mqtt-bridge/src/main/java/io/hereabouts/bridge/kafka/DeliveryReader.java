package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.loop.Received;
import io.hereabouts.bridge.loop.Taken;
import io.hereabouts.schemas.kafka.ConsumerLag;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads what the router and the resolver send to this edge, or what other edges carry to it. Where sessions are kept it begins where the last run said
 * that the broker has everything, and says so in turn; else at the end: what was sent before concerns nobody. One thread; a
 * batch is handed over and must be done with before the next.
 */
public final class DeliveryReader implements AutoCloseable {

    /** Gets the records in order; returns when it is done with them. */
    public interface Batches {
        Taken accept(List<Received> records);
    }

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration JOIN = Duration.ofSeconds(15);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final Optional<DeliveryProgress> progress;
    private final Batches batches;
    private final Consumer<String> onGap;
    private final ReaderThread thread;
    private volatile long dealtWith;

    private DeliveryReader(
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            String name,
            Optional<DeliveryProgress> progress,
            Batches batches,
            Consumer<String> gap,
            Runnable failure) {
        this.consumer = consumer;
        this.topic = topic;
        this.progress = progress;
        this.batches = batches;
        this.onGap = gap;
        this.thread = new ReaderThread(
                name, consumer, this::step, failure, () -> progress.ifPresent(DeliveryProgress::end), JOIN);
    }

    /** Where reading begins, and whether it is said how far it came. */
    public enum Start {
        /** At the end, and nothing is said. */
        END,
        /** Where an earlier run came to, if there was one, else at the end. */
        CONTINUE,
        /** The same, but else at the beginning: there is somebody for whom what is there may be. */
        CONTINUE_OR_BEGINNING
    }

    /**
     * Goes to where it begins in all partitions of the topic; {@link #begin} reads from there.
     *
     * @param group under whose name it is said how far reading came
     * @param marks gets the marks of an earlier run before anything is read
     * @param gap told when records were deleted before they were read
     * @param failure told when a batch could not be dealt with, or the next not be read; reading goes on
     */
    public static DeliveryReader open(
            KafkaConnection kafka,
            String clientId,
            String topic,
            Start start,
            String group,
            Consumer<String> marks,
            Batches batches,
            Consumer<String> gap,
            Runnable failure) {
        Map<String, Object> settings = kafka.consumer(clientId);
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        if (start != Start.END) {
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        }
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        try {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
            consumer.assign(partitions);
            Optional<DeliveryProgress> progress =
                    start == Start.END ? Optional.empty() : Optional.of(new DeliveryProgress(consumer, partitions));
            if (progress.isEmpty() || !progress.get().resume(marks)) {
                if (start == Start.CONTINUE_OR_BEGINNING) {
                    consumer.seekToBeginning(partitions);
                } else {
                    consumer.seekToEnd(partitions);
                }
            }
            partitions.forEach(consumer::position);
            progress.ifPresent(DeliveryProgress::begin);
            return new DeliveryReader(consumer, topic, clientId, progress, batches, gap, failure);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    /** Starts reading. */
    public void begin() {
        thread.start();
    }

    private void step() {
        try {
            if (progress.isPresent() && !progress.get().mayGoOn(POLL)) {
                return;
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                List<Received> batch = new ArrayList<>(records.count());
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    if (record.value() != null && record.key() != null) {
                        batch.add(new Received(
                                record.key(), record.value(), record.timestamp(), HandedOn.timesIn(record.headers())));
                    }
                }
                Taken taken = batches.accept(batch);
                progress.ifPresent(p -> p.handedOver(taken));
            }
            dealtWith = position();
        } catch (OffsetOutOfRangeException | NoOffsetForPartitionException e) {
            onGap.accept(String.valueOf(e.getMessage()));
            consumer.seekToBeginning(consumer.assignment());
        }
    }

    private long position() {
        return consumer.assignment().stream()
                .mapToLong(consumer::position)
                .min()
                .orElse(0);
    }

    /** Whether all records before this offset of the topic, which has one partition, have been dealt with. */
    public boolean hasRead(long offset) {
        return dealtWith >= offset;
    }

    /** Records of the edge's topic that it has not read yet, as of the last fetch; NaN before the first. */
    public double lag() {
        return ConsumerLag.of(consumer.metrics(), topic);
    }

    /** False once nothing is read any more. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        thread.close();
    }
}
