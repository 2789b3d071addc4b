package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ConditionTimeoutException;

/** Reads its Kafka topic from the beginning and keeps an {@link EdgeBook}. Single thread. */
final class TestEdge implements AutoCloseable {

    private final String id;
    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    /** Not bound to committed transactions: knows the true end. */
    private final KafkaConsumer<byte[], byte[]> ends;

    private final EdgeBook book = new EdgeBook();

    private TestEdge(
            String id,
            TopicPartition partition,
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaConsumer<byte[], byte[]> ends) {
        this.id = id;
        this.partition = partition;
        this.consumer = consumer;
        this.ends = ends;
    }

    /** Creates the edge's Kafka topic. */
    static TestEdge open(String id, KafkaConnection kafka, TopicCatalogue topics) throws Exception {
        EdgeId edge = EdgeId.of(id);
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(List.of(topics.deliveriesOf(edge)));
        }
        Map<String, Object> settings = kafka.consumer("test-edge-" + id);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        TopicPartition partition = new TopicPartition(topics.deliveries(edge), 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        return new TestEdge(id, partition, consumer, new KafkaConsumer<>(kafka.consumer("test-edge-end-" + id)));
    }

    EdgeBook book() {
        return book;
    }

    /** Reads until the interest is active in every partition it was written to. */
    void awaitApplied(Map<Integer, Long> positions, Duration timeout) {
        await("applied " + positions, timeout, () -> book.hasApplied(positions));
    }

    void await(String what, Duration timeout, BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new ConditionTimeoutException("edge " + id + ": not within " + timeout + ": " + what);
            }
            poll(Duration.ofMillis(50));
        }
    }

    /** Reads what is in the Kafka topic by now, also what the open transaction of a killed router still holds back. */
    void catchUp() {
        long end = ends.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        await("end " + end, Duration.ofSeconds(30), () -> consumer.position(partition) >= end);
    }

    void poll(Duration wait) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            if (!Keys.isProbe(record.key())) {
                book.take(record.key(), record.value());
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
        ends.close();
    }
}
