package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Reads its Kafka topic as an edge must: drops what comes under a lower owner than it has seen, and deliveries it has
 * seen already; the rest counts. Single thread.
 */
final class TestEdge implements AutoCloseable {

    /** A delivery that counted. */
    record Received(String entity, String topic, String payload, Set<Long> handles, long owner, long offset) {}

    private final String id;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<Integer, Long> owners = new HashMap<>();
    private final Map<Integer, Long> applied = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Received> byPayload = new LinkedHashMap<>();
    private int repeats;
    private int staleApplied;
    private int staleDeliveries;

    private TestEdge(String id, KafkaConsumer<byte[], byte[]> consumer) {
        this.id = id;
        this.consumer = consumer;
    }

    /** Creates the edge's Kafka topic and reads it from its beginning. */
    static TestEdge open(String id, KafkaConnection kafka, TopicCatalogue topics) throws Exception {
        EdgeId edge = EdgeId.of(id);
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(List.of(topics.deliveriesOf(edge)));
        }
        Map<String, Object> settings = kafka.consumer("test-edge-" + id);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        List<TopicPartition> all = List.of(new TopicPartition(topics.deliveries(edge), 0));
        consumer.assign(all);
        consumer.seekToBeginning(all);
        return new TestEdge(id, consumer);
    }

    String id() {
        return id;
    }

    /** Reads until the interest is active in every partition it was written to. */
    void awaitApplied(Map<Integer, Long> positions, Duration timeout) {
        await("applied " + positions, timeout, () -> positions.entrySet().stream()
                .allMatch(p -> applied.getOrDefault(p.getKey(), -1L) >= p.getValue()));
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

    void poll(Duration wait) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            if (!Keys.isProbe(record.key())) {
                take(record);
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        try {
            SpecificRecord value = Framing.decode(record.value());
            if (value instanceof Applied a) {
                take(a);
            } else if (value instanceof Delivery d) {
                take(new String(record.key(), StandardCharsets.UTF_8), d);
            } else {
                throw new IllegalStateException("unexpected " + value);
            }
        } catch (UndecodableException e) {
            throw new IllegalStateException(e);
        }
    }

    private void take(Applied a) {
        if (isStale(a.getPartition(), a.getOwner())) {
            staleApplied++;
        } else {
            applied.merge(a.getPartition(), a.getOffset(), Math::max);
        }
    }

    private void take(String entity, Delivery d) throws UndecodableException {
        if (isStale(d.getPartition(), d.getOwner())) {
            staleDeliveries++;
            return;
        }
        if (!seen.add(d.getPartition() + "/" + d.getOffset())) {
            repeats++;
            return;
        }
        byte[] bytes = new byte[d.getPublication().remaining()];
        d.getPublication().get(bytes);
        Publication publication = Framing.decode(bytes, Publication.class);
        String payload = StandardCharsets.UTF_8.decode(publication.getPayload()).toString();
        Received received = new Received(
                entity, publication.getTopic(), payload, new TreeSet<>(d.getHandles()), d.getOwner(), d.getOffset());
        byPayload.putIfAbsent(payload, received);
    }

    /** The highest owner of each partition is the one that counts. */
    private boolean isStale(int partition, long owner) {
        return owner < owners.merge(partition, owner, Math::max);
    }

    /** What counted, by payload; a payload is published once. */
    Map<String, Received> received() {
        return byPayload;
    }

    /** The delivery with this payload, which must have been received. */
    Received received(String payload) {
        return Objects.requireNonNull(byPayload.get(payload), "not received: " + payload);
    }

    int repeats() {
        return repeats;
    }

    int staleApplied() {
        return staleApplied;
    }

    int staleDeliveries() {
        return staleDeliveries;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
