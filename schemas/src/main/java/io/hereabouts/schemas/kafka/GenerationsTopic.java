package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.record.UndecodableException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the Kafka topic {@code generations} on a thread of its own, from its beginning. Where it says nothing, there is
 * the first generation only, with the partitions of the settings. Thread-safe.
 */
public final class GenerationsTopic implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationsTopic.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** A consumer that closes waits for the fetch that is under way. */
    private static final int FETCH_MILLIS = 100;

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Consumer<Generations> changed;
    private final CountDownLatch read = new CountDownLatch(1);
    private final Thread thread;

    private volatile Generations now;
    private volatile boolean closing;

    private GenerationsTopic(
            KafkaConnection kafka, String clientId, TopicCatalogue topics, Consumer<Generations> changed) {
        this.partition = new TopicPartition(topics.generations(), 0);
        Map<String, Object> settings = kafka.consumer(clientId);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MILLIS);
        this.consumer = new KafkaConsumer<>(settings);
        this.changed = changed;
        this.now = Generations.only(topics.generation());
        this.thread = new Thread(this::run, clientId);
        thread.setDaemon(true);
    }

    /**
     * Returns when the topic was read to its end, and goes on following it.
     *
     * @param topics as the settings have them
     * @param changed called on the follower's thread with what there is, then with each change; must not throw
     * @throws TimeoutException if Kafka does not let it be read in time
     */
    public static GenerationsTopic follow(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            Duration atMost,
            Consumer<Generations> changed)
            throws InterruptedException, TimeoutException {
        GenerationsTopic topic = new GenerationsTopic(kafka, clientId, topics, changed);
        topic.thread.start();
        if (!topic.read.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            topic.close();
            throw new TimeoutException(
                    "Kafka topic " + topics.generations() + " at " + kafka.bootstrapServers() + " was not read within "
                            + atMost.toSeconds() + " s; if it is missing run 'hereabouts topics init'");
        }
        return topic;
    }

    /** What the topic says now, for whoever does not stay. */
    public static Generations read(KafkaConnection kafka, TopicCatalogue topics, Duration atMost)
            throws InterruptedException, TimeoutException {
        try (GenerationsTopic topic = follow(kafka, "hereabouts-generations", topics, atMost, change -> {})) {
            return topic.now();
        }
    }

    /**
     * Writes what there is from now on. There is to be one writer at a time.
     *
     * @return when Kafka took it, by the clock of the broker, in milliseconds since 1970-01-01T00:00Z
     */
    public static long write(KafkaConnection kafka, TopicCatalogue topics, Generations generations)
            throws ExecutionException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.producer("hereabouts-generations-writer"))) {
            return producer.send(new ProducerRecord<>(topics.generations(), 0, Generations.key(), generations.value()))
                    .get()
                    .timestamp();
        }
    }

    /** The generations there are, as far as they have been heard of. */
    public Generations now() {
        return now;
    }

    /** Whether it still follows. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        try {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (!closing) {
                consumer.poll(POLL).forEach(this::take);
                if (read.getCount() > 0 && isAtEnd()) {
                    read.countDown();
                    changed.accept(now);
                }
            }
        } catch (WakeupException e) {
            LOG.debug("closed");
        } catch (KafkaException e) {
            LOG.error("{} is not followed any more", partition.topic(), e);
        } finally {
            consumer.close();
        }
    }

    private boolean isAtEnd() {
        try {
            Long end = consumer.endOffsets(List.of(partition)).get(partition);
            return end != null && consumer.position(partition) >= end;
        } catch (org.apache.kafka.common.errors.TimeoutException e) {
            return false;
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        if (!Arrays.equals(record.key(), Generations.key()) || record.value() == null) {
            return;
        }
        try {
            now = Generations.parse(record.value());
            if (read.getCount() == 0) {
                LOG.info("{}: {}", partition.topic(), now);
                changed.accept(now);
            }
        } catch (UndecodableException e) {
            LOG.warn("{}: record {} left out: {}", partition.topic(), record.offset(), e.getMessage());
        }
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
