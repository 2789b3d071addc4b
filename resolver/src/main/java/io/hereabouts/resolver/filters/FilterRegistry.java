package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.filters.Decision.Resolve;
import io.hereabouts.resolver.filters.Neighborhood.State;
import io.hereabouts.resolver.filters.Neighborhood.Waiting;
import io.hereabouts.resolver.filters.Reply.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only one who decides what {@code filters} says about the neighborhoods it owns, during one ownership. It knows
 * which partitions hold which of their slices and interests, decides what each join, leave and resolution changes, and
 * leaves the writing to others.
 *
 * <p>Invariants: a neighborhood is resolved at most once at a time, and not again while somebody holds it; its joins and
 * leaves take effect in the order they came; every write under one key has a higher stamp than all before; an interest is
 * written only to partitions that hold the neighborhood's slice, and after it; a refused request changes nothing.
 *
 * <p>A join of a known neighborhood costs a record for each partition concerned. Times are milliseconds of any clock
 * that does not go back. For one thread.
 */
public final class FilterRegistry {

    private final long epoch;
    private final BitSet allPartitions;
    private final long lingerMillis;
    private final Map<NeighborhoodId, Neighborhood> neighborhoods = new HashMap<>();
    private final Map<Long, NeighborhoodId> handles = new HashMap<>();
    /** Neighborhoods without interests and when their slices go, soonest first: all linger equally long. */
    private final Map<NeighborhoodId, Long> lingering = new LinkedHashMap<>();

    /** Taken-over interests with a late record of a former owner in some partition. */
    private final Set<Interest> unsure = new HashSet<>();

    private long version;

    /**
     * Takes over what is in {@code filters}.
     *
     * @param epoch higher than that of any former owner
     * @param partitions of {@code filters}
     * @param lingerMillis how long slices stay after the last interest, at least 0
     */
    public FilterRegistry(FilterInventory inventory, long epoch, int partitions, long lingerMillis) {
        this.epoch = epoch;
        this.lingerMillis = lingerMillis;
        this.allPartitions = new BitSet(partitions);
        allPartitions.set(0, partitions);
        takeOver(inventory);
    }

    /** How many neighborhoods it knows, those that linger included. */
    public int size() {
        return neighborhoods.size();
    }

    /**
     * Compares what was taken over with what edges hold, once, before anything else: removes what nobody holds, asks
     * for what is missing, and lets slices without interests linger.
     *
     * @param held what edges hold, with the canonical descriptors
     */
    public Decision reconcile(Map<Interest, String> held, long now) {
        Draft draft = new Draft();
        for (Neighborhood n : List.copyOf(neighborhoods.values())) {
            for (Interest interest : List.copyOf(n.interests.keySet())) {
                if (!held.containsKey(interest)) {
                    drop(n, interest, draft);
                }
            }
            if (n.interests.isEmpty() && n.state == State.ACTIVE && !n.id.isEverywhere()) {
                // a former owner may be about to remove these slices: whoever joins gets new ones
                n.state = State.STALE;
            }
        }
        held.forEach((interest, descriptor) -> {
            Neighborhood n = neighborhoods.get(interest.neighborhood());
            BitSet at = n == null ? null : n.interests.get(interest);
            if (n == null
                    || at == null
                    || n.state != State.ACTIVE
                    || !at.equals(n.slices)
                    || unsure.contains(interest)) {
                join(new Request(interest, 0, null), descriptor, draft);
            } else {
                n.descriptor = descriptor;
            }
        });
        List.copyOf(neighborhoods.values()).forEach(n -> settle(n, now));
        unsure.clear();
        return draft.decision();
    }

    /** An edge wants an interest; the reply comes in this decision or, if it has to be resolved, in a later one. */
    public Decision join(Request request, String descriptor) {
        Draft draft = new Draft();
        join(request, descriptor, draft);
        return draft.decision();
    }

    /** An edge no longer holds an interest. */
    public Decision leave(Interest interest, Input input, long now) {
        Draft draft = new Draft();
        Neighborhood n = neighborhoods.get(interest.neighborhood());
        if (n != null && n.state == State.RESOLVING) {
            n.waiting.add(new Waiting(new Request(interest, 0, input), false));
        } else {
            draft.done.add(input);
            if (n != null) {
                drop(n, interest, draft);
                settle(n, now);
            }
        }
        return draft.decision();
    }

    /** A neighborhood was resolved: puts what changed, then everything that waited for it, in order. */
    public Decision resolved(NeighborhoodId id, SpatialFilter filter, long now) {
        Draft draft = new Draft();
        Neighborhood n = neighborhoods.get(id);
        if (n != null && n.state == State.RESOLVING) {
            n.state = State.ACTIVE;
            install(n, filter, draft);
            for (Waiting w = n.waiting.poll(); w != null; w = n.waiting.poll()) {
                if (w.join()) {
                    accept(n, w.request(), Outcome.NEW, draft);
                } else {
                    drop(n, w.request().interest(), draft);
                    draft.finish(w.request());
                }
            }
            settle(n, now);
        }
        return draft.decision();
    }

    /** A neighborhood could not be resolved: refuses whoever waited for it. */
    public Decision refused(NeighborhoodId id, Refusal refusal, long now) {
        Draft draft = new Draft();
        Neighborhood n = neighborhoods.get(id);
        if (n != null && n.state == State.RESOLVING) {
            n.state = State.STALE;
            for (Waiting w = n.waiting.poll(); w != null; w = n.waiting.poll()) {
                if (w.join()) {
                    draft.reply(Reply.refused(w.request(), refusal));
                } else {
                    drop(n, w.request().interest(), draft);
                    draft.finish(w.request());
                }
            }
            settle(n, now);
        }
        return draft.decision();
    }

    /** Removes the slices of neighborhoods that nobody has held for long enough. */
    public Decision due(long now) {
        Draft draft = new Draft();
        Iterator<Map.Entry<NeighborhoodId, Long>> soonest = lingering.entrySet().iterator();
        while (soonest.hasNext()) {
            Map.Entry<NeighborhoodId, Long> next = soonest.next();
            if (next.getValue() > now) {
                break;
            }
            soonest.remove();
            Neighborhood n = neighborhoods.get(next.getKey());
            if (n != null) {
                n.slices.stream().forEach(p -> draft.write(new Write.DropSlice(p, n.id, draft.stamp)));
                forget(n);
            }
        }
        return draft.decision();
    }

    /**
     * Somebody wrote an interest or its removal. If it was a former owner, late, then this key is written again, behind
     * it: a reader that comes after a compaction finds the last record only.
     */
    public Decision observed(int partition, Interest interest, Stamp stamp) {
        Draft draft = new Draft();
        if (stamp.epoch() < epoch) {
            Neighborhood n = neighborhoods.get(interest.neighborhood());
            BitSet at = n == null ? null : n.interests.get(interest);
            draft.write(
                    at != null && at.get(partition)
                            ? new Write.PutInterest(partition, interest, draft.stamp, 0)
                            : new Write.DropInterest(partition, interest, draft.stamp));
        }
        return draft.decision();
    }

    /** As {@link #observed(int, Interest, Stamp)}, for a slice. One that is held is resolved again. */
    public Decision observed(int partition, NeighborhoodId id, Stamp stamp) {
        Draft draft = new Draft();
        if (stamp.epoch() < epoch) {
            Neighborhood n = neighborhoods.get(id);
            if (n == null || !n.slices.get(partition)) {
                draft.write(new Write.DropSlice(partition, id, draft.stamp));
            } else if (n.state == State.ACTIVE) {
                n.state = State.STALE;
                if (!n.interests.isEmpty() && !n.descriptor.isEmpty()) {
                    resolve(n, draft);
                }
            }
        }
        return draft.decision();
    }

    private void takeOver(FilterInventory inventory) {
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
                n.total = slices.get(0).total();
                n.worldVersion = slices.get(0).worldVersion();
            }
        });
    }

    /** One resolution's slices, all of them and nothing else. */
    private static boolean complete(List<FilterInventory.SliceEntry> slices) {
        FilterInventory.SliceEntry first = slices.get(0);
        return slices.stream().allMatch(s -> s.sure() && s.stamp().equals(first.stamp()))
                && slices.stream().mapToLong(FilterInventory.SliceEntry::count).sum() == first.total();
    }

    private Neighborhood known(NeighborhoodId id) {
        return neighborhoods.computeIfAbsent(id, i -> {
            handles.put(i.handle(), i);
            Neighborhood n = new Neighborhood(i);
            if (i.isEverywhere()) {
                n.state = State.ACTIVE;
                n.slices = (BitSet) allPartitions.clone();
            }
            return n;
        });
    }

    private void join(Request request, String descriptor, Draft draft) {
        NeighborhoodId id = request.interest().neighborhood();
        NeighborhoodId sameHandle = id.handle() == 0 ? NeighborhoodId.EVERYWHERE : handles.get(id.handle());
        if (sameHandle != null && !sameHandle.equals(id)) {
            draft.reply(Reply.refused(
                    request,
                    new Refusal(
                            Refusal.IMPLEMENTATION_SPECIFIC,
                            "$: neighborhood " + id + " has the same handle as " + sameHandle
                                    + ", which is in use; change the descriptor")));
            return;
        }
        Neighborhood n = known(id);
        switch (n.state) {
            case ACTIVE -> accept(n, request, id.isEverywhere() ? Outcome.EVERYWHERE : Outcome.KNOWN, draft);
            case RESOLVING -> n.waiting.add(new Waiting(request, true));
            case STALE -> {
                n.descriptor = descriptor;
                n.waiting.add(new Waiting(request, true));
                resolve(n, draft);
            }
        }
    }

    private void resolve(Neighborhood n, Draft draft) {
        n.state = State.RESOLVING;
        lingering.remove(n.id);
        draft.resolutions.add(new Resolve(n.id, n.descriptor));
    }

    private void accept(Neighborhood n, Request request, Outcome outcome, Draft draft) {
        Interest interest = request.interest();
        lingering.remove(n.id);
        BitSet before = n.interests.put(interest, (BitSet) n.slices.clone());
        n.slices.stream()
                .forEach(p -> draft.write(new Write.PutInterest(p, interest, draft.stamp, request.requestId())));
        dropElsewhere(interest, before, n.slices, draft);
        draft.reply(new Reply(request, outcome, n.worldVersion, n.total, null));
    }

    private void install(Neighborhood n, SpatialFilter filter, Draft draft) {
        BitSet concerned = new BitSet();
        for (SpatialFilter.Slice slice : filter.slices()) {
            concerned.set(slice.partition());
            draft.write(new Write.PutSlice(n.id, draft.stamp, filter, slice));
        }
        n.interests.forEach((interest, at) -> {
            concerned.stream()
                    .filter(p -> !at.get(p))
                    .forEach(p -> draft.write(new Write.PutInterest(p, interest, draft.stamp, 0)));
            dropElsewhere(interest, at, concerned, draft);
        });
        n.interests.replaceAll((interest, at) -> (BitSet) concerned.clone());
        n.slices.stream()
                .filter(p -> !concerned.get(p))
                .forEach(p -> draft.write(new Write.DropSlice(p, n.id, draft.stamp)));
        n.slices = concerned;
        n.worldVersion = filter.worldVersion();
        n.total = filter.total();
    }

    private static void dropElsewhere(Interest interest, @Nullable BitSet at, BitSet concerned, Draft draft) {
        if (at != null) {
            at.stream()
                    .filter(p -> !concerned.get(p))
                    .forEach(p -> draft.write(new Write.DropInterest(p, interest, draft.stamp)));
        }
    }

    private static void drop(Neighborhood n, Interest interest, Draft draft) {
        dropElsewhere(interest, n.interests.remove(interest), new BitSet(), draft);
    }

    /** After a change: is there still a reason to keep it? */
    private void settle(Neighborhood n, long now) {
        if (n.state == State.RESOLVING || !n.interests.isEmpty()) {
            return;
        }
        if (n.slices.isEmpty() || n.id.isEverywhere()) {
            forget(n);
        } else {
            lingering.putIfAbsent(n.id, now + lingerMillis);
        }
    }

    private void forget(Neighborhood n) {
        neighborhoods.remove(n.id);
        handles.remove(n.id.handle());
        lingering.remove(n.id);
    }

    /** Collects one decision; all of its writes have one stamp. */
    private final class Draft {
        final Stamp stamp = new Stamp(epoch, ++version);
        final List<Write> writes = new ArrayList<>();
        final List<Reply> replies = new ArrayList<>();
        final List<Input> done = new ArrayList<>();
        final List<Resolve> resolutions = new ArrayList<>();

        void write(Write write) {
            writes.add(write);
        }

        void reply(Reply reply) {
            if (reply.request().input() != null) {
                replies.add(reply);
            }
        }

        void finish(Request request) {
            if (request.input() != null) {
                done.add(request.input());
            }
        }

        Decision decision() {
            return new Decision(writes, replies, done, resolutions);
        }
    }
}
