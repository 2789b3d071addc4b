package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.Map;
import java.util.TreeMap;

/** How many records of each schema id are in a Kafka topic. */
public final class WrittenIds {

    private WrittenIds() {}

    public static Map<Integer, Integer> in(KafkaConnection kafka, String topic) {
        Map<Integer, Integer> ids = new TreeMap<>();
        PartitionReader.readAll(kafka, topic, record -> ids.merge(id(record.value()), 1, Integer::sum));
        return ids;
    }

    private static int id(byte[] value) {
        try {
            return Framing.schemaId(value);
        } catch (UndecodableException e) {
            throw new AssertionError(e);
        }
    }
}
