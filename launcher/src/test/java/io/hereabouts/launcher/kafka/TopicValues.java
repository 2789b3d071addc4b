package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which records of a Kafka topic have a value and which have none. */
public final class TopicValues {

    private TopicValues() {}

    /** For each key, whether its records have a value, in their order; probes are left out. */
    public static Map<String, List<Boolean>> of(KafkaConnection kafka, String topic) {
        Map<String, List<Boolean>> values = new TreeMap<>();
        PartitionReader.readAll(kafka, topic, record -> values.computeIfAbsent(
                        new String(record.key(), StandardCharsets.UTF_8), key -> new ArrayList<>())
                .add(record.value() != null));
        return values;
    }
}
