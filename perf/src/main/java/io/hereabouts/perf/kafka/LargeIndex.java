package io.hereabouts.perf.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Many neighborhoods, each with a random choice of the entities and one edge that is interested in all of it, written as a
 * resolver does; and publications about entities that some neighborhood has. For one thread.
 */
final class LargeIndex {

    static final EdgeId EDGE = EdgeId.of("edge-0");

    private static final long EPOCH = 1;

    private final TopicCatalogue topics;
    private final int neighborhoods;
    private final int size;
    private final String[] entities;
    private final int[] partitions;
    private final BitSet covered = new BitSet();
    private final SplittableRandom random;
    private long interests;

    /**
     * Writes nothing yet.
     *
     * @param size entities of a neighborhood, at most as many as there are
     */
    LargeIndex(TopicCatalogue topics, long seed, int neighborhoods, int size, int entities) {
        this.topics = topics;
        this.neighborhoods = neighborhoods;
        this.size = size;
        this.entities = new String[entities];
        this.partitions = new int[entities];
        this.random = new SplittableRandom(seed);
        for (int e = 0; e < entities; e++) {
            this.entities[e] = "perf/entity/" + e;
            this.partitions[e] = Partitions.partitionOf(EntityId.of(this.entities[e]), topics.partitions());
        }
    }

    /** (entity, neighborhood) pairs. */
    long pairs() {
        return (long) neighborhoods * size;
    }

    /** Records of interests that were written: a router says Applied for each. */
    long interests() {
        return interests;
    }

    /** Sends slices and interests; the producer is to be flushed by the caller. */
    void write(Producer<byte[], byte[]> producer) {
        TopicFilter everything = TopicFilter.parse("#");
        long version = 0;
        for (int n = 0; n < neighborhoods; n++) {
            NeighborhoodId id = NeighborhoodId.ofCanonical("perf " + n);
            version++;
            byte[] key = Keys.slice(id);
            byte[] interestKey = Keys.filterInterest(new Interest(id, everything, EDGE));
            byte[] interest = Framing.encode(new FilterInterest(EPOCH, version, version));
            for (Map.Entry<Integer, List<String>> slice : draw().entrySet()) {
                List<String> ids = slice.getValue();
                send(
                        producer,
                        slice.getKey(),
                        key,
                        Framing.encode(new Slice(
                                EPOCH, version, 1L, size, ids.size(), ByteBuffer.wrap(SliceIds.encode(ids)))));
                send(producer, slice.getKey(), interestKey, interest);
                interests++;
            }
        }
    }

    private Map<Integer, List<String>> draw() {
        BitSet drawn = new BitSet();
        Map<Integer, List<String>> slices = new TreeMap<>();
        while (drawn.cardinality() < size) {
            int e = random.nextInt(entities.length);
            if (!drawn.get(e)) {
                drawn.set(e);
                covered.set(e);
                slices.computeIfAbsent(partitions[e], p -> new ArrayList<>()).add(entities[e]);
            }
        }
        return slices;
    }

    private void send(Producer<byte[], byte[]> producer, int partition, byte[] key, byte[] value) {
        // the flush that follows tells of failures
        var unused = producer.send(new ProducerRecord<>(topics.filters(), partition, key, value));
    }

    /** Publications of some of the entities, each ready to be sent again and again. */
    List<ProducerRecord<byte[], byte[]>> publications(int count, int payloadBytes) {
        int[] candidates = covered.stream().toArray();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int e = candidates[random.nextInt(candidates.length)];
            byte[] payload = new byte[payloadBytes];
            random.nextBytes(payload);
            records.add(new ProducerRecord<>(
                    topics.publications(),
                    partitions[e],
                    EntityId.of(entities[e]).bytes(),
                    FramedPublication.of("perf/state/" + e % 1_000, payload)));
        }
        return records;
    }
}
