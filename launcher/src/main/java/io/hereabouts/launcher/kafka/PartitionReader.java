package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions as they are now, from their beginning to their end; probes and records without key are left out. No state. */
final class PartitionReader {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int SHORT_WAIT_MILLIS = 10;

    private PartitionReader() {}

    /** All partitions of a Kafka topic. */
    static void readAll(KafkaConnection kafka, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
            read(
                    consumer,
                    consumer.partitionsFor(topic).stream()
                            .map(p -> new TopicPartition(topic, p.partition()))
                            .toList(),
                    each);
        }
    }

    /** One partition. */
    static void read(KafkaConnection kafka, TopicPartition partition, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
            read(consumer, List.of(partition), each);
        }
    }

    private static void read(
            KafkaConsumer<byte[], byte[]> consumer,
            List<TopicPartition> partitions,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.key() != null && !Keys.isProbe(record.key())) {
                    each.accept(record);
                }
            }
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(KafkaConnection kafka) {
        Map<String, Object> settings = kafka.committedConsumer("hereabouts-reader");
        // a consumer that closes waits for the fetch that is under way
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SHORT_WAIT_MILLIS);
        return new KafkaConsumer<>(settings);
    }
}
