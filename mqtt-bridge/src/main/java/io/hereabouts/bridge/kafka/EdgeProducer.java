package io.hereabouts.bridge.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A producer that never blocks: it is called from the broker's threads. All metadata it needs is fetched when it is
 * opened and kept; when its buffer is full it says so. Idempotent, so that what one caller sends to one partition
 * arrives in that order. Thread-safe.
 */
public final class EdgeProducer implements AutoCloseable {

    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration NEVER_GIVES_UP = Duration.ofMillis(Integer.MAX_VALUE);
    private static final long NEVER_IDLE_MILLIS = TimeUnit.DAYS.toMillis(3650);

    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaHealth health;

    private EdgeProducer(KafkaProducer<byte[], byte[]> producer, KafkaHealth health) {
        this.producer = producer;
        this.health = health;
    }

    /**
     * Connects and waits until the topics are known.
     *
     * @param timeout after which a record that Kafka has not acknowledged has failed
     * @param topics all that will be written to
     */
    public static EdgeProducer open(
            KafkaConnection kafka, String clientId, Duration timeout, List<String> topics, KafkaHealth health) {
        Map<String, Object> settings = kafka.producer(clientId);
        int timeoutMillis = Math.toIntExact(timeout.toMillis());
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, Math.min(timeoutMillis / 2, 30_000)));
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        settings.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, NEVER_IDLE_MILLIS);
        // Kafka's default forgets all topics as soon as no broker answers: then a record fails at once, not after the
        // timeout, and one of QoS 2, whose PUBREC nothing but its storing can release, for ever
        settings.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
        EdgeProducer opened = new EdgeProducer(new KafkaProducer<>(settings), health);
        try {
            for (String topic : topics) {
                opened.awaitMetadata(topic);
            }
            return opened;
        } catch (RuntimeException | InterruptedException e) {
            opened.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("Kafka topics cannot be written to: " + e.getMessage(), e);
        }
    }

    /** As {@link #open}, but a record that Kafka has not acknowledged is sent again until this is closed. */
    public static EdgeProducer openPatient(
            KafkaConnection kafka, String clientId, List<String> topics, KafkaHealth health) {
        return open(kafka, clientId, NEVER_GIVES_UP, topics, health);
    }

    /** How many partitions the topic has; only for topics named at opening. */
    public int partitionsOf(String topic) {
        return producer.partitionsFor(topic).size();
    }

    /** Told once what became of a record, by a thread of the producer or by the one that sent it. */
    interface Acknowledged {
        /**
         * @param offset of the record; negative if Kafka has it but does not say where
         * @param failure null if Kafka has it
         */
        void acknowledged(long offset, @Nullable Exception failure);
    }

    /**
     * Sends a record.
     *
     * @param done called once, from a thread of the producer or from this one: null when Kafka has it, else why not
     */
    public void send(
            String topic, int partition, byte[] key, byte @Nullable [] value, Consumer<@Nullable Exception> done) {
        send(new ProducerRecord<>(topic, partition, key, value), (offset, failure) -> done.accept(failure));
    }

    /** As the other, for who wants to know where it is. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback says it all
    void send(ProducerRecord<byte[], byte[]> record, Acknowledged done) {
        try {
            producer.send(record, (metadata, failure) -> {
                if (failure == null) {
                    health.succeeded();
                } else {
                    health.failed(failure);
                }
                done.acknowledged(metadata != null && metadata.hasOffset() ? metadata.offset() : -1, failure);
            });
        } catch (KafkaException | IllegalStateException e) {
            done.acknowledged(-1, e);
        }
    }

    /** Waits until one more topic can be written to; false if Kafka does not say where it is. For a thread that can wait. */
    public boolean learn(String topic) throws InterruptedException {
        try {
            awaitMetadata(topic);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void awaitMetadata(String topic) throws InterruptedException {
        long end = System.nanoTime() + OPEN_TIMEOUT.toNanos();
        while (true) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    /** Sends nothing more, not even what waits: all of it fails. */
    public void abandon() {
        producer.close(Duration.ZERO);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
