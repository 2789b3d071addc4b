package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.WorldChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the registry knows of one neighborhood. */
final class Neighborhood {

    enum State {
        /** Its slices are incomplete, out of date, or may not be relied on: the next join resolves it. */
        STALE,
        /** Being resolved; joins and leaves wait. */
        RESOLVING,
        /** Its slices are in {@code filters}. */
        ACTIVE
    }

    /** A join or leave that waits for the resolution. */
    record Waiting(Request request, boolean join) {

        /** A join that nobody waits for: it is tried until it works, or the edge leaves. */
        boolean isOwn() {
            return join && request.input() == null;
        }
    }

    final NeighborhoodId id;
    State state = State.STALE;
    /** Canonical; empty as long as nobody told it to this owner. */
    String descriptor = "";

    long worldVersion;
    int total;
    /** Of what is in the slices, see {@link SpatialFilter#digest()}; 0 if that has to be written again. */
    long digest;
    /** Taken over, and nobody has looked yet whether its references are in the world. */
    boolean unchecked;
    /** References that the world does not have; who does not hold it already is refused. */
    List<EntityId> unknown = List.of();
    /** Why it could not be resolved again; empty if what is in the slices is up to date, as far as is known. */
    String failure = "";
    /** Null as long as this owner has not resolved it. */
    @Nullable
    Footprint footprint;
    /** Changes of the world since it is being resolved. */
    final List<WorldChange> since = new ArrayList<>();
    /** How often the world changed under the resolution that is going on. */
    int overtaken;
    /** Partitions that hold a slice, or may hold one. */
    BitSet slices = new BitSet();
    /** Partitions that hold each interest, or may hold it. */
    final Map<Interest, BitSet> interests = new HashMap<>();

    final Deque<Waiting> waiting = new ArrayDeque<>();

    Neighborhood(NeighborhoodId id) {
        this.id = id;
    }

    /** True if this request may have it: whoever holds it keeps it when a reference is gone. */
    boolean admits(Request request) {
        return unknown.isEmpty() || !isNew(request);
    }

    /** True if this request is of somebody who does not hold it, or did when this owner took over. */
    boolean isNew(Request request) {
        return request.input() != null && !interests.containsKey(request.interest());
    }

    /** True if an edge relies on it, or did and will again. */
    boolean isHeld() {
        return !interests.isEmpty() || waiting.stream().anyMatch(Waiting::isOwn);
    }
}
