package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The interests of this edge, each with the number of subscriptions that hold it. The first holder causes a request to
 * the resolver, repeated until the resolver has answered and every partition it named has applied the answer; the last
 * one to let go withdraws it. Time is an argument in milliseconds. Owned by one thread.
 */
final class Interests {

    /** Where requests go; they must arrive in order. */
    interface Requests {
        void request(Interest interest, String descriptor, long requestId);

        void withdraw(Interest interest);
    }

    /** Told once, then forgotten; it may call back. */
    interface Waiter {
        void active();

        void refused(int reasonCode, String reason);
    }

    /** A partition of the filters and an offset in it. */
    record Position(int partition, long offset) {}

    private static final class State {
        final String descriptor;
        final List<Waiter> waiters = new ArrayList<>();
        int holders;
        long requestId;
        long sentAt;
        boolean active;

        @Nullable
        List<Position> positions;

        State(String descriptor) {
            this.descriptor = descriptor;
        }
    }

    private final Requests requests;
    private final AppliedPositions applied;
    private final long retryMillis;
    private final Map<Interest, State> states = new HashMap<>();
    private final Map<Long, Interest> requested = new LinkedHashMap<>();
    private long lastRequestId;

    /** @param firstRequestId request ids grow from here; it must not repeat those of an earlier run */
    Interests(Requests requests, AppliedPositions applied, long retryMillis, long firstRequestId) {
        this.requests = requests;
        this.applied = applied;
        this.retryMillis = retryMillis;
        this.lastRequestId = firstRequestId;
    }

    /** One more holder. The waiter, if there is one, is told at once if the interest is active, else as soon as it is. */
    void acquire(Interest interest, String descriptor, long now, @Nullable Waiter waiter) {
        State state = states.computeIfAbsent(interest, i -> new State(descriptor));
        state.holders++;
        if (state.active) {
            if (waiter != null) {
                waiter.active();
            }
            return;
        }
        if (waiter != null) {
            state.waiters.add(waiter);
        }
        if (state.holders == 1) {
            send(interest, state, now);
        }
    }

    /** One holder less; its waiter, if it is still waiting, is forgotten. */
    void release(Interest interest, @Nullable Waiter waiter) {
        State state = states.get(interest);
        if (state == null) {
            throw new IllegalStateException("nobody holds " + interest);
        }
        if (waiter != null) {
            state.waiters.remove(waiter);
        }
        if (--state.holders == 0) {
            states.remove(interest);
            requested.remove(state.requestId);
            requests.withdraw(interest);
        }
    }

    /**
     * The resolver's answer.
     *
     * @param reasonCode 0, or an MQTT reason code from 128 on
     */
    void resolved(long requestId, int reasonCode, String reason, List<Position> positions) {
        Interest interest = requested.get(requestId);
        State state = interest == null ? null : states.get(interest);
        if (state == null) {
            return;
        }
        if (reasonCode != 0) {
            List<Waiter> waiters = List.copyOf(state.waiters);
            state.waiters.clear();
            waiters.forEach(w -> w.refused(reasonCode, reason));
            return;
        }
        state.positions = positions;
        activateIfApplied(requestId, state);
    }

    /** Looks again at what waits for partitions to apply; to be called after {@link AppliedPositions} has moved. */
    void appliedMoved() {
        for (Map.Entry<Long, Interest> entry : List.copyOf(requested.entrySet())) {
            State state = states.get(entry.getValue());
            if (state != null) {
                activateIfApplied(entry.getKey(), state);
            }
        }
    }

    /** Repeats what has been waiting for longer than the retry interval. */
    void tick(long now) {
        for (Interest interest : List.copyOf(requested.values())) {
            State state = states.get(interest);
            if (state != null && now - state.sentAt >= retryMillis) {
                send(interest, state, now);
            }
        }
    }

    /** What an interest waits for, in words. */
    String waitingFor(Interest interest) {
        State state = states.get(interest);
        if (state == null || state.active) {
            return "nothing";
        }
        List<Position> positions = state.positions;
        if (positions == null) {
            return "the resolver has not answered";
        }
        List<Integer> missing = new ArrayList<>();
        for (Position position : positions) {
            if (!applied.covers(position.partition(), position.offset())) {
                missing.add(position.partition());
            }
        }
        return "the router has not applied partitions " + missing;
    }

    /** The neighborhood that a request is about, as long as the request is open. */
    @Nullable
    NeighborhoodId requested(long requestId) {
        Interest interest = requested.get(requestId);
        return interest == null ? null : interest.neighborhood();
    }

    /** The neighborhoods that are held or asked for. */
    Set<NeighborhoodId> neighborhoods() {
        return states.keySet().stream().map(Interest::neighborhood).collect(Collectors.toSet());
    }

    int size() {
        return states.size();
    }

    int waiting() {
        return requested.size();
    }

    private void send(Interest interest, State state, long now) {
        // The request id stays: an answer to an earlier try is as good, and a slow resolver must not be outrun.
        if (state.requestId == 0) {
            state.requestId = ++lastRequestId;
            requested.put(state.requestId, interest);
        }
        state.sentAt = now;
        requests.request(interest, state.descriptor, state.requestId);
    }

    private void activateIfApplied(long requestId, State state) {
        List<Position> positions = state.positions;
        if (positions == null || !positions.stream().allMatch(p -> applied.covers(p.partition(), p.offset()))) {
            return;
        }
        state.active = true;
        requested.remove(requestId);
        List<Waiter> waiters = List.copyOf(state.waiters);
        state.waiters.clear();
        waiters.forEach(Waiter::active);
    }
}
