package io.hereabouts.resolver.filters;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka topic of filters as a list of writes, with the two views that readers have: routers that follow live ignore
 * what is older by stamp, readers after a compaction find the last write of each key.
 */
final class SimulatedFilters {

    private final List<Write> log = new ArrayList<>();
    private final Map<String, Stamp> newest = new HashMap<>();
    private final Map<String, String> live = new TreeMap<>();
    private final Map<String, String> last = new TreeMap<>();

    void append(Write write) {
        log.add(write);
        String key = key(write);
        set(last, key, value(write));
        if (write.stamp().compareTo(newest.getOrDefault(key, Stamp.NONE)) >= 0) {
            newest.put(key, write.stamp());
            set(live, key, value(write));
        }
    }

    /** As {@link #append}, by an owner who must never write anything older than what is there. */
    void appendInOrder(Write write) {
        assertThat(write.stamp()).as("%s", write).isGreaterThanOrEqualTo(newest.getOrDefault(key(write), Stamp.NONE));
        if (write instanceof Write.PutInterest put
                && !put.interest().neighborhood().isEverywhere()) {
            assertThat(live)
                    .as("an interest comes after its slice")
                    .containsKey(sliceKey(put.partition(), put.interest().neighborhood()));
        }
        append(write);
    }

    FilterInventory inventory() {
        FilterInventory inventory = new FilterInventory(id -> true);
        for (Write write : log) {
            if (write instanceof Write.PutSlice w) {
                inventory.slicePut(
                        w.partition(),
                        w.neighborhood(),
                        w.stamp(),
                        w.slice().count(),
                        w.filter().total(),
                        w.filter().worldVersion());
            } else if (write instanceof Write.DropSlice w) {
                inventory.sliceGone(w.partition(), w.neighborhood(), w.stamp());
            } else if (write instanceof Write.PutInterest w) {
                inventory.interestPut(w.partition(), w.interest(), w.stamp());
            } else if (write instanceof Write.DropInterest w) {
                inventory.interestGone(w.partition(), w.interest(), w.stamp());
            }
        }
        return inventory;
    }

    Map<String, String> live() {
        return live;
    }

    Map<String, String> last() {
        return last;
    }

    /** What the views must be, by resolution from scratch, if exactly these interests are active. */
    static Map<String, String> expected(Set<Interest> active, SimulatedWorld world, int partitions) {
        Map<String, String> expected = new TreeMap<>();
        for (Interest interest : active) {
            NeighborhoodId id = interest.neighborhood();
            Map<Integer, List<String>> shares = new HashMap<>();
            if (id.isEverywhere()) {
                for (int p = 0; p < partitions; p++) {
                    expected.put(interestKey(p, interest), "");
                }
            }
            for (EntityId entity : world.members(id)) {
                shares.computeIfAbsent(Partitions.partitionOf(entity, partitions), p -> new ArrayList<>())
                        .add(entity.value());
            }
            shares.forEach((p, ids) -> {
                expected.put(sliceKey(p, id), String.join(" ", ids));
                expected.put(interestKey(p, interest), "");
            });
        }
        return expected;
    }

    private static void set(Map<String, String> view, String key, @Nullable String value) {
        if (value == null) {
            view.remove(key);
        } else {
            view.put(key, value);
        }
    }

    private static String key(Write write) {
        if (write instanceof Write.PutSlice w) {
            return sliceKey(w.partition(), w.neighborhood());
        } else if (write instanceof Write.DropSlice w) {
            return sliceKey(w.partition(), w.neighborhood());
        } else if (write instanceof Write.PutInterest w) {
            return interestKey(w.partition(), w.interest());
        }
        return interestKey(write.partition(), ((Write.DropInterest) write).interest());
    }

    private static @Nullable String value(Write write) {
        if (write instanceof Write.PutSlice w) {
            return String.join(" ", ids(w));
        }
        return write instanceof Write.PutInterest ? "" : null;
    }

    private static List<String> ids(Write.PutSlice write) {
        List<String> ids = new ArrayList<>();
        byte[] bytes = new byte[write.slice().ids().remaining()];
        write.slice().ids().duplicate().get(bytes);
        try {
            SliceIds.decode(bytes, write.slice().count(), id -> ids.add(new String(id, StandardCharsets.UTF_8)));
        } catch (UndecodableException e) {
            throw new AssertionError(e);
        }
        return ids;
    }

    private static String sliceKey(int partition, NeighborhoodId id) {
        return partition + " S " + id;
    }

    private static String interestKey(int partition, Interest interest) {
        return partition + " I " + interest;
    }
}
