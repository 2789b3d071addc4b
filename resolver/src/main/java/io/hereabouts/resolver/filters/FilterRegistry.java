package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.filters.Decision.Resolve;
import io.hereabouts.resolver.filters.Neighborhood.State;
import io.hereabouts.resolver.filters.Neighborhood.Waiting;
import io.hereabouts.resolver.filters.Reply.Outcome;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.WorldChange;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The only one who decides what {@code filters} says about the neighborhoods it owns, during one ownership. It knows
 * which partitions hold which of their slices and interests, decides what each join, leave, resolution and change of the
 * world means, and leaves the writing to others.
 *
 * <p>Invariants: a neighborhood is resolved at most once at a time, and not again while somebody holds it unless a change
 * of the world may touch it; its joins and leaves take effect in the order they came; every write under one key has a
 * higher stamp than all before; an interest is written only to partitions that hold the neighborhood's slice, and after
 * it; a refused request changes nothing; what is resolved and answered has every change that was told before, unless the
 * world changed under {@value #MAX_OVERTAKEN} resolutions in a row.
 *
 * <p>A join of a known neighborhood costs a record for each partition concerned, a change of the world a look at the
 * footprint of each neighborhood. Times are milliseconds of any clock that does not go back. For one thread.
 */
public final class FilterRegistry {

    /** So often a resolution begins again because the world changed under it; then its result counts for the time being. */
    private static final int MAX_OVERTAKEN = 3;

    private final long epoch;
    private final Neighborhoods neighborhoods;
    private final Refreshes refreshes;
    private final TakenOver takenOver;

    private long version;
    private long seen;

    /**
     * Takes over what is in {@code filters}.
     *
     * @param epoch higher than that of any former owner
     * @param partitions of {@code filters}
     * @param lingerMillis how long slices stay after the last interest, at least 0
     * @param refreshes how many neighborhoods are resolved again at a time because the world changed, at least 1
     * @param unresolved the footprint of a canonical descriptor that was resolved by a former owner
     */
    public FilterRegistry(
            FilterInventory inventory,
            long epoch,
            int partitions,
            long lingerMillis,
            int refreshes,
            Function<String, Footprint> unresolved) {
        this.epoch = epoch;
        this.neighborhoods = new Neighborhoods(partitions, lingerMillis);
        this.refreshes = new Refreshes(refreshes);
        this.takenOver = new TakenOver(inventory, neighborhoods, unresolved);
    }

    /** How many neighborhoods it knows, those that linger included. */
    public int size() {
        return neighborhoods.size();
    }

    /** The version of the world up to which it has been told, or need not be told, all changes. */
    public long seen() {
        return seen;
    }

    /** How many neighborhoods a change may have touched that are not being resolved again yet. */
    public int waitingRefreshes() {
        return refreshes.waiting();
    }

    /**
     * Compares what was taken over with what edges hold, once, before anything else: removes what nobody holds, asks
     * for what is missing, and lets slices without interests linger.
     *
     * @param held what edges hold, with the canonical descriptors
     * @param worldVersion that the world had a moment ago, 0 if it cannot be asked
     */
    public Decision reconcile(Map<Interest, String> held, long worldVersion, long now) {
        Draft draft = draft();
        for (Neighborhood n : neighborhoods.copy()) {
            for (Interest interest : List.copyOf(n.interests.keySet())) {
                if (!held.containsKey(interest)) {
                    draft.drop(n, interest);
                }
            }
            if (n.interests.isEmpty() && n.state == State.ACTIVE && !n.id.isEverywhere()) {
                // a former owner may be about to remove these slices: whoever joins gets new ones
                n.state = State.STALE;
            }
        }
        held.forEach((interest, descriptor) -> {
            if (takenOver.isThere(interest)) {
                neighborhoods.known(interest.neighborhood()).descriptor = descriptor;
            } else {
                join(new Request(interest, 0, null), descriptor, draft);
            }
        });
        neighborhoods.copy().forEach(n -> neighborhoods.settle(n, now));
        follow(worldVersion);
        refresh(now, draft);
        return draft.decision();
    }

    /**
     * From which version on changes have to be told: the oldest of any slices. What was resolved against a later version
     * than the world has is from another world.
     */
    private void follow(long worldVersion) {
        seen = worldVersion == 0 ? Long.MAX_VALUE : worldVersion;
        for (Neighborhood n : neighborhoods.all()) {
            if (n.state == State.ACTIVE && !n.id.isEverywhere()) {
                if (worldVersion > 0 && n.worldVersion > worldVersion) {
                    n.state = State.STALE;
                    refreshes.add(n.id);
                } else {
                    seen = Math.min(seen, n.worldVersion);
                }
            }
        }
        seen = seen == Long.MAX_VALUE ? 0 : seen;
    }

    /** References of what was taken over; whether the world has them is to be told to {@link #checked}. */
    public Set<EntityId> references() {
        return takenOver.references();
    }

    /**
     * The world has said which of the {@link #references} it does not have, some time after {@link #reconcile}: who newly
     * comes to their neighborhoods is refused from now on, and edges hear how what they hold is.
     */
    public Decision checked(MissingEntities missing) {
        Draft draft = draft();
        takenOver.check(missing);
        takenOver.tell(seen, draft);
        return draft.decision();
    }

    /** An edge wants an interest; the reply comes in this decision or, if it has to be resolved, in a later one. */
    public Decision join(Request request, String descriptor) {
        Draft draft = draft();
        join(request, descriptor, draft);
        return draft.decision();
    }

    /** An edge no longer holds an interest. */
    public Decision leave(Interest interest, Input input, long now) {
        Draft draft = draft();
        Neighborhood n = neighborhoods.get(interest.neighborhood());
        if (n != null && n.state == State.RESOLVING) {
            n.waiting.add(new Waiting(new Request(interest, 0, input), false));
        } else {
            draft.done.add(input);
            if (n != null) {
                n.waiting.removeIf(w -> w.request().interest().equals(interest));
                draft.drop(n, interest);
                neighborhoods.settle(n, now);
            }
        }
        return draft.decision();
    }

    /**
     * The world has a new version. Neighborhoods that this can affect are resolved again.
     *
     * @param change later than all that were told before
     */
    public Reaction changed(WorldChange change, long now) {
        Draft draft = draft();
        seen = change.version();
        int lookedAt = 0;
        int affected = 0;
        for (Neighborhood n : neighborhoods.all()) {
            if (n.state == State.RESOLVING) {
                n.since.add(change);
            } else if (n.state == State.ACTIVE && !n.id.isEverywhere() && isNews(n.worldVersion, change)) {
                lookedAt++;
                if (takenOver.footprint(n).isTouchedBy(change)) {
                    affected++;
                    n.state = State.STALE;
                    refreshes.add(n.id);
                } else {
                    n.worldVersion = change.version();
                }
            }
        }
        takenOver.tell(seen, draft);
        refresh(now, draft);
        return new Reaction(draft.decision(), lookedAt, affected);
    }

    /** A change of which nothing is known may have led to another world with lower numbers. */
    private static boolean isNews(long worldVersion, WorldChange change) {
        return change.isEverything() || change.version() > worldVersion;
    }

    /** A neighborhood was resolved: puts what changed, then everything that waited for it, in order. */
    public Decision resolved(NeighborhoodId id, SpatialFilter filter, long now) {
        Draft draft = draft();
        Neighborhood n = neighborhoods.get(id);
        if (n != null && n.state == State.RESOLVING) {
            boolean late = isOvertaken(n, filter);
            if (late && n.overtaken < MAX_OVERTAKEN) {
                n.overtaken++;
                again(n, draft);
                return draft.decision();
            }
            refreshes.ended(id);
            n.state = State.ACTIVE;
            draft.install(n, filter);
            serve(n, draft);
            if (late) {
                n.state = State.STALE;
                refreshes.add(id);
            }
            neighborhoods.settle(n, now);
        }
        refresh(now, draft);
        return draft.decision();
    }

    private static boolean isOvertaken(Neighborhood n, SpatialFilter filter) {
        return n.since.stream()
                .anyMatch(change -> isNews(filter.worldVersion(), change)
                        && filter.footprint().isTouchedBy(change));
    }

    private void serve(Neighborhood n, Draft draft) {
        for (Waiting w = n.waiting.poll(); w != null; w = n.waiting.poll()) {
            if (!w.join()) {
                draft.drop(n, w.request().interest());
                draft.finish(w.request());
            } else {
                accept(n, w.request(), Outcome.NEW, draft);
            }
        }
    }

    /** A neighborhood could not be resolved: refuses whoever waited for it. What is held stays as it is, for a while. */
    public Decision refused(NeighborhoodId id, Refusal refusal, long now) {
        Draft draft = draft();
        Neighborhood n = neighborhoods.get(id);
        if (n != null && n.state == State.RESOLVING) {
            refreshes.ended(id);
            n.state = State.STALE;
            List<Waiting> waiting = List.copyOf(n.waiting);
            n.waiting.clear();
            for (Waiting w : waiting) {
                if (w.isOwn()) {
                    n.waiting.add(w);
                } else if (w.join()) {
                    draft.reply(Reply.refused(w.request(), refusal));
                } else {
                    n.waiting.removeIf(
                            own -> own.request().interest().equals(w.request().interest()));
                    draft.drop(n, w.request().interest());
                    draft.finish(w.request());
                }
            }
            if (n.isHeld()) {
                refreshes.addLater(id, now);
                draft.keep(n, refusal);
            }
            neighborhoods.settle(n, now);
        }
        refresh(now, draft);
        return draft.decision();
    }

    /** Removes the slices of neighborhoods that nobody has held for long enough, and tries again what failed. */
    public Decision due(long now) {
        Draft draft = draft();
        for (Neighborhood n : neighborhoods.due(now)) {
            n.slices.stream().forEach(p -> draft.write(new Write.DropSlice(p, n.id, draft.stamp)));
        }
        refresh(now, draft);
        return draft.decision();
    }

    /**
     * Somebody wrote an interest or its removal. If it was a former owner, late, then this key is written again, behind
     * it: a reader that comes after a compaction finds the last record only.
     */
    public Decision observed(int partition, Interest interest, Stamp stamp) {
        Draft draft = draft();
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
        Draft draft = draft();
        if (stamp.epoch() < epoch) {
            Neighborhood n = neighborhoods.get(id);
            if (n == null || !n.slices.get(partition)) {
                draft.write(new Write.DropSlice(partition, id, draft.stamp));
            } else {
                n.digest = 0;
                if (n.state == State.ACTIVE) {
                    n.state = State.STALE;
                    if (!n.interests.isEmpty() && !n.descriptor.isEmpty()) {
                        resolve(n, draft);
                    }
                }
            }
        }
        return draft.decision();
    }

    private void join(Request request, String descriptor, Draft draft) {
        NeighborhoodId id = request.interest().neighborhood();
        NeighborhoodId sameHandle = neighborhoods.sameHandle(id);
        if (sameHandle != null) {
            draft.reply(Reply.refused(request, Refusal.sameHandle(id, sameHandle)));
            return;
        }
        Neighborhood n = neighborhoods.known(id);
        n.descriptor = descriptor;
        if (n.state == State.ACTIVE && n.isNew(request) && takenOver.isDoubtful(n)) {
            n.state = State.STALE;
        }
        switch (n.state) {
            case ACTIVE -> accept(n, request, id.isEverywhere() ? Outcome.EVERYWHERE : Outcome.KNOWN, draft);
            case RESOLVING -> n.waiting.add(new Waiting(request, true));
            case STALE -> {
                n.waiting.add(new Waiting(request, true));
                resolve(n, draft);
            }
        }
    }

    private void refresh(long now, Draft draft) {
        for (NeighborhoodId id = refreshes.next(now); id != null; id = refreshes.next(now)) {
            Neighborhood n = neighborhoods.get(id);
            if (n != null && n.state == State.STALE && n.isHeld()) {
                begin(n, draft);
            } else {
                refreshes.ended(id);
            }
        }
    }

    /** At once, for somebody who waits. */
    private void resolve(Neighborhood n, Draft draft) {
        refreshes.overtaken(n.id);
        begin(n, draft);
    }

    private void begin(Neighborhood n, Draft draft) {
        n.state = State.RESOLVING;
        n.overtaken = 0;
        neighborhoods.wanted(n);
        again(n, draft);
    }

    private static void again(Neighborhood n, Draft draft) {
        n.since.clear();
        UnknownReferences unknown = n.isHeld() ? UnknownReferences.LEAVE_OUT : UnknownReferences.REFUSE;
        draft.resolutions.add(new Resolve(n.id, n.descriptor, unknown));
    }

    private void accept(Neighborhood n, Request request, Outcome outcome, Draft draft) {
        if (n.admits(request)) {
            neighborhoods.wanted(n);
        }
        draft.accept(n, request, outcome);
    }

    private Draft draft() {
        return new Draft(new Stamp(epoch, ++version));
    }
}
