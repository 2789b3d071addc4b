package io.hereabouts.perf.kafka;

import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SchemaIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads what contenders wrote and counts it: each publication once for each edge, with all its neighborhoods. */
final class RouteAudit {

    private static final Duration POLL = Duration.ofMillis(500);

    private final int neighborhoodsOfEntity;
    private long copies;
    private long tableRecords;
    private long deliveries;
    private long repeats;
    private long wrong;

    RouteAudit(int neighborhoodsOfEntity) {
        this.neighborhoodsOfEntity = neighborhoodsOfEntity;
    }

    /** Counts what the identity topology wrote from here to the end. */
    void identity(Consumer<byte[], byte[]> consumer, TopicPartition partition, long from) {
        read(consumer, partition, from, record -> {
            if (!Keys.isProbe(record.key())) {
                copies++;
            }
        });
    }

    /** Counts what the topology with a table wrote from here to the end, with as many neighborhoods as there must be. */
    void table(Consumer<byte[], byte[]> consumer, TopicPartition partition, long from) {
        read(consumer, partition, from, record -> {
            if (!Keys.isProbe(record.key()) && ByteBuffer.wrap(record.value()).getInt() == neighborhoodsOfEntity) {
                tableRecords++;
            }
        });
    }

    /** Counts what a router wrote for one edge from here to the end. */
    void router(Consumer<byte[], byte[]> consumer, TopicPartition partition, long from) {
        Map<Integer, BitSet> seen = new HashMap<>();
        read(consumer, partition, from, record -> {
            if (Keys.isProbe(record.key())) {
                return;
            }
            try {
                if (Framing.schemaId(record.value()) != SchemaIds.APPLIED) {
                    count(Framing.decode(record.value(), Delivery.class), seen);
                }
            } catch (UndecodableException e) {
                wrong++;
            }
        });
    }

    private void count(Delivery delivery, Map<Integer, BitSet> seen) {
        deliveries++;
        BitSet offsets = seen.computeIfAbsent(delivery.getPartition(), p -> new BitSet());
        int offset = Math.toIntExact(delivery.getOffset());
        if (offsets.get(offset)) {
            repeats++;
        }
        offsets.set(offset);
        if (delivery.getHandles().stream().distinct().count() != neighborhoodsOfEntity) {
            wrong++;
        }
    }

    private static void read(
            Consumer<byte[], byte[]> consumer,
            TopicPartition partition,
            long from,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        consumer.seek(partition, from);
        while (consumer.position(partition) < end) {
            consumer.poll(POLL).forEach(each);
        }
    }

    /** Records that the identity topology wrote. */
    long copies() {
        return copies;
    }

    /** Records that the topology with a table wrote. */
    long tableRecords() {
        return tableRecords;
    }

    /** Deliveries that the router wrote, repeats included. */
    long deliveries() {
        return deliveries;
    }

    /** Deliveries of a publication that the edge had in the same round. */
    long repeats() {
        return repeats;
    }

    /** Deliveries that do not name the neighborhoods of the entity, or are none. */
    long wrong() {
        return wrong;
    }
}
