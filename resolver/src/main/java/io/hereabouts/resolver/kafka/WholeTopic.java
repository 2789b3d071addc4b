package io.hereabouts.resolver.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads partitions from their beginning to the end they have at the first call, then goes on from there. The end is a
 * position, not a number of records: compaction leaves gaps. For one thread.
 */
final class WholeTopic implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;

    /** @param settings of a consumer without group */
    WholeTopic(Map<String, Object> settings, Collection<TopicPartition> partitions) {
        this.consumer = new KafkaConsumer<>(settings);
        consumer.assign(partitions);
    }

    /** All partitions of a topic. */
    static List<TopicPartition> partitions(String topic, int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(p -> new TopicPartition(topic, p))
                .toList();
    }

    /**
     * Reads to the end.
     *
     * @param stop asked now and then: true gives up
     * @return the end of each partition, or empty if given up
     */
    Map<TopicPartition, Long> readToEnd(Consumer<ConsumerRecord<byte[], byte[]>> each, BooleanSupplier stop) {
        consumer.seekToBeginning(consumer.assignment());
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        Map<TopicPartition, Long> missing = new HashMap<>(ends);
        while (true) {
            missing.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            if (missing.isEmpty()) {
                return ends;
            }
            if (stop.getAsBoolean()) {
                return Map.of();
            }
            consumer.poll(POLL).forEach(each);
        }
    }

    /** What came since; waits a moment for something to come. */
    ConsumerRecords<byte[], byte[]> next() {
        return consumer.poll(POLL);
    }

    /** The offset of each partition that is read next. */
    Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        consumer.assignment().forEach(p -> positions.put(p, consumer.position(p)));
        return positions;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
