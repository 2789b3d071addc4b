package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What a compacted Kafka topic says now: the last value of each key, without tombstones, probes and owner records. */
public final class CompactedView {

    private CompactedView() {}

    /** By {@code partition/key}; values by their hash. */
    public static Map<String, Integer> of(KafkaConnection kafka, String topic) {
        Map<String, Integer> view = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer("view"))) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> apply(record, view));
            }
        }
        return view;
    }

    private static void apply(ConsumerRecord<byte[], byte[]> record, Map<String, Integer> view) {
        if (Keys.isProbe(record.key()) || Keys.isOwner(record.key())) {
            return;
        }
        String key = record.partition() + "/" + new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            view.remove(key);
        } else {
            view.put(key, Arrays.hashCode(record.value()));
        }
    }
}
