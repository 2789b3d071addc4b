package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases of all edges, by edge id. For one thread. */
final class EdgeLeases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeLeases.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, EdgeLease> leases = new TreeMap<>();

    EdgeLeases(KafkaConnection kafka, TopicCatalogue topics) {
        this.partition = new TopicPartition(topics.edges(), 0);
        this.consumer = new KafkaConsumer<>(kafka.consumer("hereabouts-edge-leases"));
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** As they are now; those of edges that stopped properly are gone. */
    Map<String, EdgeLease> now() {
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        while (consumer.position(partition) < end) {
            consumer.poll(POLL).forEach(this::take);
        }
        return Map.copyOf(leases);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || Keys.isProbe(record.key())) {
            return;
        }
        String edge = new String(record.key(), StandardCharsets.UTF_8);
        try {
            if (record.value() == null) {
                leases.remove(edge);
            } else {
                leases.put(edge, Framing.decode(record.value(), EdgeLease.class));
            }
        } catch (UndecodableException e) {
            LOG.warn("lease of edge {} cannot be read: {}", edge, e.getMessage());
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
