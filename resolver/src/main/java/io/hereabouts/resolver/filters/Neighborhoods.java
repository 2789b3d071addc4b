package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.filters.Neighborhood.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The neighborhoods of one owner: by id, by handle, and those that nobody holds any more. For one thread. */
final class Neighborhoods {

    private final BitSet allPartitions;
    private final long lingerMillis;
    private final Map<NeighborhoodId, Neighborhood> byId = new HashMap<>();
    private final Map<Long, NeighborhoodId> handles = new HashMap<>();
    /** Neighborhoods without interests and when their slices go, soonest first: all linger equally long. */
    private final Map<NeighborhoodId, Long> lingering = new LinkedHashMap<>();

    Neighborhoods(int partitions, long lingerMillis) {
        this.lingerMillis = lingerMillis;
        this.allPartitions = new BitSet(partitions);
        allPartitions.set(0, partitions);
    }

    /** Knows what is in {@code filters}; says which interests have a late record of a former owner in some partition. */
    Set<Interest> takeOver(FilterInventory inventory) {
        Set<Interest> unsure = new HashSet<>();
        Map<NeighborhoodId, List<FilterInventory.SliceEntry>> entries = new HashMap<>();
        inventory.forEachSlice((place, entry) -> {
            known(place.what()).slices.set(place.partition());
            entries.computeIfAbsent(place.what(), id -> new ArrayList<>()).add(entry);
        });
        inventory.forEachInterest((place, entry) -> {
            Neighborhood n = known(place.what().neighborhood());
            n.interests.computeIfAbsent(place.what(), i -> new BitSet()).set(place.partition());
            if (!entry.sure()) {
                unsure.add(place.what());
            }
        });
        entries.forEach((id, slices) -> {
            if (complete(slices)) {
                Neighborhood n = known(id);
                n.state = State.ACTIVE;
                n.unchecked = true;
                n.total = slices.get(0).total();
                n.worldVersion = slices.get(0).worldVersion();
            }
        });
        return unsure;
    }

    /** One resolution's slices, all of them and nothing else. */
    private static boolean complete(List<FilterInventory.SliceEntry> slices) {
        FilterInventory.SliceEntry first = slices.get(0);
        return slices.stream().allMatch(s -> s.sure() && s.stamp().equals(first.stamp()))
                && slices.stream().mapToLong(FilterInventory.SliceEntry::count).sum() == first.total();
    }

    @Nullable
    Neighborhood get(NeighborhoodId id) {
        return byId.get(id);
    }

    /** The neighborhood, which is known from now on. */
    Neighborhood known(NeighborhoodId id) {
        return byId.computeIfAbsent(id, i -> {
            handles.put(i.handle(), i);
            Neighborhood n = new Neighborhood(i);
            if (i.isEverywhere()) {
                n.state = State.ACTIVE;
                n.slices = (BitSet) allPartitions.clone();
            }
            return n;
        });
    }

    /** Another neighborhood that has the handle of this one, if there is any. */
    @Nullable
    NeighborhoodId sameHandle(NeighborhoodId id) {
        NeighborhoodId same = id.handle() == 0 ? NeighborhoodId.EVERYWHERE : handles.get(id.handle());
        return id.equals(same) ? null : same;
    }

    Collection<Neighborhood> all() {
        return byId.values();
    }

    /** All of them as they are now, for a caller that changes which there are. */
    List<Neighborhood> copy() {
        return List.copyOf(byId.values());
    }

    int size() {
        return byId.size();
    }

    /** Somebody wants it. */
    void wanted(Neighborhood n) {
        lingering.remove(n.id);
    }

    /** After a change: is there still a reason to keep it? */
    void settle(Neighborhood n, long now) {
        if (n.state == State.RESOLVING || n.isHeld()) {
            return;
        }
        if (n.slices.isEmpty() || n.id.isEverywhere()) {
            forget(n);
        } else {
            lingering.putIfAbsent(n.id, now + lingerMillis);
        }
    }

    /** Forgets those that nobody has held for long enough, and returns them. */
    List<Neighborhood> due(long now) {
        List<Neighborhood> due = new ArrayList<>();
        Iterator<Map.Entry<NeighborhoodId, Long>> soonest = lingering.entrySet().iterator();
        while (soonest.hasNext()) {
            Map.Entry<NeighborhoodId, Long> next = soonest.next();
            if (next.getValue() > now) {
                break;
            }
            soonest.remove();
            Neighborhood n = byId.get(next.getKey());
            if (n != null) {
                due.add(n);
                forget(n);
            }
        }
        return due;
    }

    private void forget(Neighborhood n) {
        byId.remove(n.id);
        handles.remove(n.id.handle());
        lingering.remove(n.id);
    }
}
