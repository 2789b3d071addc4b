package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** What the registry knows of one neighborhood. */
final class Neighborhood {

    enum State {
        /** Its slices are incomplete or may not be relied on: the next join resolves it. */
        STALE,
        /** Being resolved; joins and leaves wait. */
        RESOLVING,
        /** Its slices are in {@code filters}. */
        ACTIVE
    }

    /** A join or leave that waits for the resolution. */
    record Waiting(Request request, boolean join) {}

    final NeighborhoodId id;
    State state = State.STALE;
    /** Canonical; empty as long as nobody told it to this owner. */
    String descriptor = "";

    long worldVersion;
    int total;
    /** Partitions that hold a slice, or may hold one. */
    BitSet slices = new BitSet();
    /** Partitions that hold each interest, or may hold it. */
    final Map<Interest, BitSet> interests = new HashMap<>();

    final Deque<Waiting> waiting = new ArrayDeque<>();

    Neighborhood(NeighborhoodId id) {
        this.id = id;
    }
}
