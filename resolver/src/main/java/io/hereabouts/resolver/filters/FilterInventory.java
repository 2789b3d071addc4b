package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * What {@code filters} holds, as read record by record in the order of each partition. What a former owner wrote late,
 * behind the records of its successor, is older by its stamp but newer by its place; readers that follow live ignore it,
 * readers that come after a compaction see nothing else. Such an entry is <em>unsure</em>: to be written again or to be
 * removed, not to be relied on.
 *
 * <p>For one thread.
 */
public final class FilterInventory implements FilterReader {

    private final Predicate<NeighborhoodId> owned;
    private final Map<Place<NeighborhoodId>, SliceEntry> slices = new HashMap<>();
    private final Map<Place<Interest>, InterestEntry> interests = new HashMap<>();
    private long highestEpoch;

    /** @param owned which neighborhoods to keep; of the others only the epochs are looked at */
    public FilterInventory(Predicate<NeighborhoodId> owned) {
        this.owned = owned;
    }

    @Override
    public void slicePut(
            int partition, NeighborhoodId neighborhood, Stamp stamp, int count, int total, long worldVersion) {
        slice(partition, neighborhood, new SliceEntry(stamp, true, true, count, total, worldVersion));
    }

    @Override
    public void sliceGone(int partition, NeighborhoodId neighborhood, Stamp stamp) {
        slice(partition, neighborhood, new SliceEntry(stamp, false, true, 0, 0, 0));
    }

    @Override
    public void interestPut(int partition, Interest interest, Stamp stamp) {
        interest(partition, interest, new InterestEntry(stamp, true, true));
    }

    @Override
    public void interestGone(int partition, Interest interest, Stamp stamp) {
        interest(partition, interest, new InterestEntry(stamp, false, true));
    }

    /** The highest epoch of any record, owned or not; 0 if there is none. */
    public long highestEpoch() {
        return highestEpoch;
    }

    void forEachSlice(BiConsumer<Place<NeighborhoodId>, SliceEntry> each) {
        slices.forEach((place, entry) -> {
            if (entry.present) {
                each.accept(place, entry);
            }
        });
    }

    void forEachInterest(BiConsumer<Place<Interest>, InterestEntry> each) {
        interests.forEach((place, entry) -> {
            if (entry.present) {
                each.accept(place, entry);
            }
        });
    }

    private void slice(int partition, NeighborhoodId neighborhood, SliceEntry entry) {
        highestEpoch = Math.max(highestEpoch, entry.stamp.epoch());
        if (owned.test(neighborhood)) {
            slices.merge(
                    new Place<>(partition, neighborhood),
                    entry,
                    (old, late) -> late.stamp.compareTo(old.stamp) >= 0
                            ? late
                            : new SliceEntry(old.stamp, true, false, old.count, old.total, old.worldVersion));
        }
    }

    private void interest(int partition, Interest interest, InterestEntry entry) {
        highestEpoch = Math.max(highestEpoch, entry.stamp.epoch());
        if (owned.test(interest.neighborhood())) {
            interests.merge(
                    new Place<>(partition, interest),
                    entry,
                    (old, late) ->
                            late.stamp.compareTo(old.stamp) >= 0 ? late : new InterestEntry(old.stamp, true, false));
        }
    }

    record Place<T>(int partition, T what) {}

    record SliceEntry(Stamp stamp, boolean present, boolean sure, int count, int total, long worldVersion) {}

    record InterestEntry(Stamp stamp, boolean present, boolean sure) {}
}
