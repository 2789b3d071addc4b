package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * What {@code filters} says, in two ways that must agree: to a reader that ignores older stamps, as routers do that
 * follow live, and to one that finds the last record of each key only, as after a compaction.
 */
record FiltersView(Map<String, Set<String>> byStamp, Map<String, Set<String>> byPlace) {

    private static final Set<String> PRESENT = new TreeSet<>();

    /** Key {@code partition S|…} → ids, {@code partition I|…} → nothing. */
    static FiltersView of(Collection<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, Set<String>> byStamp = new TreeMap<>();
        Map<String, Set<String>> byPlace = new TreeMap<>();
        Map<String, long[]> stamps = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (Keys.isProbe(record.key()) || Keys.isOwner(record.key())) {
                continue;
            }
            String key = record.partition() + " " + new String(record.key(), StandardCharsets.UTF_8);
            put(byPlace, key, record);
            long[] stamp = stamp(record);
            long[] last = stamps.getOrDefault(key, new long[] {0, 0});
            if (stamp[0] > last[0] || (stamp[0] == last[0] && stamp[1] >= last[1])) {
                stamps.put(key, stamp);
                put(byStamp, key, record);
            }
        }
        return new FiltersView(byStamp, byPlace);
    }

    /** What is expected of one active interest: its slices and itself where it has slices. */
    static void expect(Map<String, Set<String>> expected, Interest interest, Map<Integer, Set<String>> shares) {
        shares.forEach((partition, ids) -> {
            expected.put(sliceKey(partition, interest.neighborhood()), ids);
            expected.put(partition + " " + new String(Keys.filterInterest(interest), StandardCharsets.UTF_8), PRESENT);
        });
    }

    static String sliceKey(int partition, NeighborhoodId neighborhood) {
        return partition + " " + new String(Keys.slice(neighborhood), StandardCharsets.UTF_8);
    }

    /** All keys that name the neighborhood. */
    List<String> keysOf(NeighborhoodId neighborhood) {
        return byPlace.keySet().stream()
                .filter(key -> key.contains("|" + neighborhood.value()))
                .toList();
    }

    private static void put(Map<String, Set<String>> view, String key, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            view.remove(key);
        } else {
            view.put(key, Keys.isSlice(record.key()) ? ids(record.value()) : PRESENT);
        }
    }

    private static Set<String> ids(byte[] value) {
        try {
            Slice slice = Framing.decode(value, Slice.class);
            List<String> ids = new ArrayList<>();
            ByteBuffer bytes = slice.getIds();
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            SliceIds.decode(copy, slice.getCount(), id -> ids.add(new String(id, StandardCharsets.UTF_8)));
            return new TreeSet<>(ids);
        } catch (UndecodableException e) {
            throw new AssertionError(e);
        }
    }

    private static long[] stamp(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.value() == null) {
                return new long[] {header(record.headers(), "epoch"), header(record.headers(), "version")};
            }
            if (Keys.isSlice(record.key())) {
                Slice slice = Framing.decode(record.value(), Slice.class);
                return new long[] {slice.getOwnerEpoch(), slice.getVersion()};
            }
            FilterInterest interest = Framing.decode(record.value(), FilterInterest.class);
            return new long[] {interest.getOwnerEpoch(), interest.getVersion()};
        } catch (UndecodableException e) {
            throw new AssertionError(e);
        }
    }

    private static long header(Headers headers, String name) {
        return ByteBuffer.wrap(headers.lastHeader(name).value()).getLong();
    }
}
