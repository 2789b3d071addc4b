package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a compacted Kafka topic says now: the last value of each key, without tombstones, probes and owner records. */
public final class CompactedView {

    private CompactedView() {}

    /** By {@code partition/key}; values by their hash. */
    public static Map<String, Integer> of(KafkaConnection kafka, String topic) {
        Map<String, Integer> view = new TreeMap<>();
        PartitionReader.readAll(kafka, topic, record -> apply(record, view));
        return view;
    }

    private static void apply(ConsumerRecord<byte[], byte[]> record, Map<String, Integer> view) {
        if (Keys.isOwner(record.key())) {
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
