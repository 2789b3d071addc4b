package io.hereabouts.schemas.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Kafka topic {@code edges} from its beginning and goes on, and writes to it. Who writes and then reads up to
 * what it wrote knows what came before, and so does everybody else: that decides who is first. For one thread.
 *
 * @see EdgeRegister
 */
public final class EdgesLog implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int PATIENCE_MS = 30_000;
    /** A consumer that closes waits for the fetch that is under way. */
    private static final int FETCH_MS = 100;

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaConnection kafka;
    private final String clientId;
    /** Once something is written: who only reads has none. */
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    private final EdgeRegister register = new EdgeRegister();

    /** Connects; nothing is read yet. */
    public EdgesLog(KafkaConnection kafka, String clientId, TopicCatalogue topics) {
        this.kafka = kafka;
        this.clientId = clientId;
        this.partition = new TopicPartition(topics.edges(), 0);
        Map<String, Object> reading = kafka.consumer(clientId);
        reading.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MS);
        this.consumer = new KafkaConsumer<>(reading);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** What was read so far. */
    public EdgeRegister register() {
        return register;
    }

    /** Reads what is there now. */
    public void readToEnd() {
        readTo(consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L) - 1, news -> {});
    }

    /**
     * Reads until the record with this offset has been read.
     *
     * @param each as in {@link #read}
     * @throws KafkaException if that takes more than 30 s
     */
    public void readTo(long offset, Consumer<EdgeNews> each) {
        if (!await(() -> consumer.position(partition) > offset, Duration.ofMillis(PATIENCE_MS), each)) {
            throw new KafkaException(
                    partition.topic() + " could not be read up to " + offset + " within " + PATIENCE_MS + " ms");
        }
    }

    /** Reads on until something holds; false if it did not in time. */
    public boolean await(BooleanSupplier condition, Duration atMost) {
        return await(condition, atMost, news -> {});
    }

    private boolean await(BooleanSupplier condition, Duration atMost, Consumer<EdgeNews> each) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            read(each);
        }
        return true;
    }

    /** Reads what came, or waits a moment for it; hands over each record after the register has read it. */
    public void read(Consumer<EdgeNews> each) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            if (record.key() != null) {
                register.read(record.offset(), record.timestamp(), record.key(), record.value())
                        .ifPresent(each);
            }
        }
    }

    /**
     * Writes a record.
     *
     * @return its offset
     * @throws KafkaException if Kafka does not take it
     */
    public long write(byte[] key, byte @Nullable [] value) throws InterruptedException {
        try {
            return producer()
                    .send(new ProducerRecord<>(partition.topic(), partition.partition(), key, value))
                    .get(PATIENCE_MS + 1_000L, TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new KafkaException("Kafka did not take a record of " + partition.topic() + ": " + e, e);
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        KafkaProducer<byte[], byte[]> opened = producer;
        if (opened == null) {
            Map<String, Object> settings = kafka.producer(clientId);
            settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
            settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS / 2);
            settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MS);
            opened = new KafkaProducer<>(settings);
            producer = opened;
        }
        return opened;
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(2));
        }
        consumer.close();
    }
}
