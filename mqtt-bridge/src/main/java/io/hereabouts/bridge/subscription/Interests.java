package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The interests of this edge, each with the number of subscriptions that hold it. The first holder causes a request to
 * the resolvers, repeated until the resolver of each generation of the filters has answered and every partition it named
 * has applied the answer; the last one to let go withdraws it. Time is an argument in milliseconds. Owned by one thread.
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

        /** By generation, where a resolver has written it. */
        final Map<Integer, List<Position>> answers = new HashMap<>();

        /** The generations in which it is active. */
        final Set<Integer> active = new HashSet<>();

        State(String descriptor) {
            this.descriptor = descriptor;
        }
    }

    private final Requests requests;
    private final AppliedPositions applied;
    private final long retryMillis;
    private final Map<Interest, State> states = new HashMap<>();
    private final Map<Long, Interest> requested = new LinkedHashMap<>();
    private List<Integer> generations;
    private long lastRequestId;

    /** @param firstRequestId request ids grow from here; it must not repeat those of an earlier run */
    Interests(
            Requests requests,
            AppliedPositions applied,
            List<Integer> generations,
            long retryMillis,
            long firstRequestId) {
        this.requests = requests;
        this.applied = applied;
        this.generations = List.copyOf(generations);
        this.retryMillis = retryMillis;
        this.lastRequestId = firstRequestId;
    }

    /** One more holder. The waiter, if there is one, is told at once if the interest is active, else as soon as it is. */
    void acquire(Interest interest, String descriptor, long now, @Nullable Waiter waiter) {
        State state = states.computeIfAbsent(interest, i -> new State(descriptor));
        state.holders++;
        if (isActive(state)) {
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

    /** From now on an interest has to be active in these generations; asks for those that are not. */
    void generations(List<Integer> wanted, long now) {
        generations = List.copyOf(wanted);
        applied.retain(generations);
        states.forEach((interest, state) -> {
            state.answers.keySet().retainAll(generations);
            state.active.retainAll(generations);
            if (!isActive(state) && !requested.containsKey(state.requestId)) {
                state.requestId = 0;
                send(interest, state, now);
            }
        });
        appliedMoved();
    }

    /** Whether all that is active in the other generations is active in this one, too. */
    boolean areActiveIn(int generation) {
        return states.values().stream()
                .allMatch(state -> state.active.contains(generation)
                        || !generations.stream().allMatch(g -> g == generation || state.active.contains(g)));
    }

    /**
     * A resolver's answer.
     *
     * @param generation that the resolver writes
     * @param reasonCode 0, or an MQTT reason code from 128 on
     */
    void resolved(long requestId, int generation, int reasonCode, String reason, List<Position> positions) {
        Interest interest = requested.get(requestId);
        State state = interest == null ? null : states.get(interest);
        if (state == null || !generations.contains(generation)) {
            return;
        }
        if (reasonCode != 0) {
            List<Waiter> waiters = List.copyOf(state.waiters);
            state.waiters.clear();
            waiters.forEach(w -> w.refused(reasonCode, reason));
            return;
        }
        state.answers.put(generation, positions);
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
        if (state == null || isActive(state)) {
            return "nothing";
        }
        return generations.stream()
                .filter(generation -> !state.active.contains(generation))
                .map(generation -> waitingFor(generation, state.answers.get(generation)))
                .collect(Collectors.joining("; "));
    }

    private String waitingFor(int generation, @Nullable List<Position> positions) {
        String of = generations.size() == 1 ? "" : " of generation " + generation;
        if (positions == null) {
            return "the resolver" + of + " has not answered";
        }
        List<Integer> missing = new ArrayList<>();
        for (Position position : positions) {
            if (!applied.covers(generation, position.partition(), position.offset())) {
                missing.add(position.partition());
            }
        }
        return "the router" + of + " has not applied partitions " + missing;
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

    private boolean isActive(State state) {
        return state.active.containsAll(generations);
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
        state.answers.forEach((generation, positions) -> {
            if (positions.stream().allMatch(p -> applied.covers(generation, p.partition(), p.offset()))) {
                state.active.add(generation);
            }
        });
        if (!isActive(state)) {
            return;
        }
        requested.remove(requestId);
        List<Waiter> waiters = List.copyOf(state.waiters);
        state.waiters.clear();
        waiters.forEach(Waiter::active);
    }
}
