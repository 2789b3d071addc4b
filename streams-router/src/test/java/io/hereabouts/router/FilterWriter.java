package io.hereabouts.router;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Writes {@code filters} as the resolver does: slices first, then interests, to every partition that is concerned. */
final class FilterWriter implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicCatalogue topics;
    private final Map<NeighborhoodId, Collection<Integer>> concerned = new HashMap<>();
    private long epoch = 1;
    private long version;

    FilterWriter(KafkaConnection kafka, TopicCatalogue topics) {
        this.producer = new KafkaProducer<>(kafka.producer("test-resolver"));
        this.topics = topics;
    }

    /** Writes the slices of a neighborhood, tombstones where it no longer has entities. */
    void neighborhood(NeighborhoodId id, Collection<String> entities) {
        Map<Integer, List<String>> byPartition = new TreeMap<>();
        for (String entity : entities) {
            byPartition
                    .computeIfAbsent(partitionOf(entity), p -> new ArrayList<>())
                    .add(entity);
        }
        version++;
        Collection<Integer> before = concerned.getOrDefault(id, List.of());
        byPartition.forEach((p, ids) -> write(p, Keys.slice(id), slice(epoch, version, entities.size(), ids)));
        before.stream().filter(p -> !byPartition.containsKey(p)).forEach(p -> tombstone(p, Keys.slice(id)));
        concerned.put(id, new ArrayList<>(byPartition.keySet()));
    }

    /** Writes an interest to the neighborhood's partitions, and returns the offset in each. */
    Map<Integer, Long> interest(NeighborhoodId id, String filter, String edge) throws Exception {
        version++;
        Interest interest = new Interest(id, TopicFilter.parse(filter), EdgeId.of(edge));
        Map<Integer, Future<RecordMetadata>> acks = new TreeMap<>();
        for (int p : partitions(id)) {
            acks.put(p, send(p, Keys.filterInterest(interest), interest(epoch, version)));
        }
        Map<Integer, Long> offsets = new TreeMap<>();
        for (Map.Entry<Integer, Future<RecordMetadata>> ack : acks.entrySet()) {
            offsets.put(ack.getKey(), offset(ack.getValue()));
        }
        return offsets;
    }

    /** As {@link #interest} without waiting for Kafka. */
    void interestLater(NeighborhoodId id, String filter, String edge) {
        version++;
        Interest interest = new Interest(id, TopicFilter.parse(filter), EdgeId.of(edge));
        partitions(id).forEach(p -> write(p, Keys.filterInterest(interest), interest(epoch, version)));
    }

    void removeInterest(NeighborhoodId id, String filter, String edge) {
        version++;
        Interest interest = new Interest(id, TopicFilter.parse(filter), EdgeId.of(edge));
        partitions(id).forEach(p -> tombstone(p, Keys.filterInterest(interest)));
    }

    /** Writes any record. */
    long raw(int partition, byte @Nullable [] key, byte @Nullable [] value) throws Exception {
        return offset(send(partition, key, value));
    }

    void nextEpoch() {
        epoch++;
    }

    void flush() {
        producer.flush();
    }

    private Collection<Integer> partitions(NeighborhoodId id) {
        if (id.isEverywhere()) {
            List<Integer> all = new ArrayList<>();
            for (int p = 0; p < topics.partitions(); p++) {
                all.add(p);
            }
            return all;
        }
        return concerned.getOrDefault(id, List.of());
    }

    private int partitionOf(String entity) {
        return Partitions.partitionOf(EntityId.of(entity), topics.partitions());
    }

    private Future<RecordMetadata> send(int partition, byte @Nullable [] key, byte @Nullable [] value) {
        return producer.send(new ProducerRecord<>(topics.filters(), partition, key, value));
    }

    private void tombstone(int partition, byte[] key) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.filters(), partition, key, null);
        record.headers().add("epoch", bytes(epoch)).add("version", bytes(version));
        var unused = producer.send(record);
    }

    /** The ack of a later record in the partition covers this one. */
    private void write(int partition, byte[] key, byte[] value) {
        var unused = send(partition, key, value);
    }

    private static long offset(Future<RecordMetadata> ack) throws Exception {
        try {
            return ack.get(30, TimeUnit.SECONDS).offset();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    static byte[] slice(long epoch, long version, int total, List<String> ids) {
        return Framing.encode(Slice.newBuilder()
                .setOwnerEpoch(epoch)
                .setVersion(version)
                .setWorldVersion(1)
                .setTotal(total)
                .setCount(ids.size())
                .setIds(ByteBuffer.wrap(SliceIds.encode(ids)))
                .build());
    }

    static byte[] interest(long epoch, long version) {
        return Framing.encode(FilterInterest.newBuilder()
                .setOwnerEpoch(epoch)
                .setVersion(version)
                .setRequestId(version)
                .build());
    }

    static byte[] bytes(long value) {
        return Arrays.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(value).array(), Long.BYTES);
    }

    @Override
    public void close() {
        producer.close();
    }
}
