package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.loop.Received;
import io.hereabouts.schemas.kafka.ConsumerLag;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the router and the resolver send to this edge, from the end at start: no session outlives the edge, so
 * what was sent before concerns nobody. One thread; a batch is handed over and must be done with before the next.
 */
public final class DeliveryReader implements AutoCloseable {

    /** Gets the records in order; returns when it is done with them. */
    public interface Batches {
        void accept(List<Received> records);
    }

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration JOIN = Duration.ofSeconds(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final Batches batches;
    private final Consumer<String> onGap;
    private final Runnable onFailure;
    private final Thread thread;
    private volatile boolean closed;
    private volatile long dealtWith;

    private DeliveryReader(
            KafkaConsumer<byte[], byte[]> consumer,
            String topic,
            String name,
            Batches batches,
            Consumer<String> gap,
            Runnable failure) {
        this.consumer = consumer;
        this.topic = topic;
        this.batches = batches;
        this.onGap = gap;
        this.onFailure = failure;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Goes to the end of all partitions of the topic and starts reading there.
     *
     * @param gap told when records were deleted before they were read
     * @param failure told when a batch could not be dealt with, or the next not be read; reading goes on
     */
    public static DeliveryReader start(
            KafkaConnection kafka,
            String clientId,
            String topic,
            Batches batches,
            Consumer<String> gap,
            Runnable failure) {
        Map<String, Object> settings = kafka.consumer(clientId);
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        try {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        DeliveryReader reader = new DeliveryReader(consumer, topic, clientId, batches, gap, failure);
        reader.thread.start();
        return reader;
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                step();
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    private void step() {
        try {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                List<Received> batch = new ArrayList<>(records.count());
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    if (record.value() != null && record.key() != null) {
                        batch.add(new Received(record.key(), record.value(), record.timestamp()));
                    }
                }
                batches.accept(batch);
            }
            dealtWith = position();
        } catch (OffsetOutOfRangeException | NoOffsetForPartitionException e) {
            onGap.accept(String.valueOf(e.getMessage()));
            consumer.seekToBeginning(consumer.assignment());
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("{} goes on after {}", thread.getName(), e.toString());
        } catch (RuntimeException e) {
            // Without this thread the edge would be up but deaf.
            LOG.error("bug in the edge, {} goes on with the next batch", thread.getName(), e);
            onFailure.run();
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
        closed = true;
        consumer.wakeup();
        try {
            thread.join(JOIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
