package io.hereabouts.bridge.subscription;

import io.hereabouts.bridge.subscription.Interests.Position;
import io.hereabouts.bridge.subscription.Subscribing.State;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a SUBSCRIBE becomes active and an old subscription goes, make before break and the row last: interest requested →
 * resolved, and applied by every partition that the resolver named → row stored in Kafka → broker's subscription →
 * switch → SUBACK → old interest released. Whatever fails on the way is taken back, so that a refused replacement
 * leaves the old subscription whole. A plain subscription waits for nothing: its interest and its row follow, repeated
 * until Kafka has them.
 *
 * <p>Decides only: what is to be done goes to {@link Effects}, time is an argument in milliseconds. Owned by one thread.
 */
public final class Subscriptions {

    /** MQTT's "quota exceeded": now is not the time, try again. */
    public static final int QUOTA_EXCEEDED = 0x97;

    /** What is to be done in Kafka. Each kind must arrive in order and is repeated by the receiver until it did. */
    public interface Effects {
        void requestInterest(Interest interest, String descriptor, long requestId);

        void withdrawInterest(Interest interest);

        /** @param stored to be called on the owning thread once Kafka has the row or a later one under its key */
        void storeRow(Subscription subscription, Runnable stored);

        void dropRow(Subscription.Key key);
    }

    private final EdgeId edge;
    private final Effects effects;
    private final AppliedPositions applied;
    private final Interests interests;
    private final SubscriptionTable table = new SubscriptionTable();
    private final RecentGroups groups = new RecentGroups();
    private final Map<Subscribing, Interests.Waiter> pending = new LinkedHashMap<>();
    private final Set<Interest> held = new LinkedHashSet<>();

    /**
     * @param generations of the filters in which an interest has to be active
     * @param retryMillis how long an unanswered interest waits before it is repeated
     * @param firstRequestId request ids grow from here; must not repeat those of an earlier run of this edge
     */
    public Subscriptions(
            EdgeId edge,
            Effects effects,
            AppliedPositions applied,
            List<Integer> generations,
            long retryMillis,
            long firstRequestId) {
        this.edge = edge;
        this.effects = effects;
        this.applied = applied;
        this.interests = new Interests(
                new Interests.Requests() {
                    @Override
                    public void request(Interest interest, String descriptor, long requestId) {
                        effects.requestInterest(interest, descriptor, requestId);
                    }

                    @Override
                    public void withdraw(Interest interest) {
                        effects.withdrawInterest(interest);
                    }
                },
                applied,
                generations,
                retryMillis,
                firstRequestId);
    }

    /**
     * A client wants a neighborhood.
     *
     * @param timeoutMillis after which it is refused
     */
    public Subscribing begin(Subscription wanted, long now, long timeoutMillis, Subscribing.Outcome outcome) {
        Subscribing subscribing =
                new Subscribing(wanted, wanted.interest(edge), now + timeoutMillis, timeoutMillis, outcome);
        Interests.Waiter waiter = new Interests.Waiter() {
            @Override
            public void active() {
                storeRow(subscribing);
            }

            @Override
            public void refused(int reasonCode, String reason) {
                refuse(subscribing, reasonCode, reason);
            }
        };
        boolean ambiguous = isAmbiguous(wanted);
        pending.put(subscribing, waiter);
        interests.acquire(subscribing.interest, wanted.descriptor(), now, waiter);
        if (ambiguous) {
            refuse(subscribing, QUOTA_EXCEEDED, "deliveries could not be told from those for another subscription");
        } else {
            note(wanted);
        }
        return subscribing;
    }

    /**
     * The broker has stored the subscription and is about to send the SUBACK: from now on it is served.
     *
     * @return false if it was taken back meanwhile
     */
    public boolean commit(Subscribing subscribing) {
        if (subscribing.state != State.READY) {
            return false;
        }
        finish(subscribing);
        Subscription previous = table.put(subscribing.wanted);
        if (previous != null) {
            note(previous);
            interests.release(previous.interest(edge), null);
        }
        return true;
    }

    /** Takes everything back that {@link #begin} did, unless it was refused or committed. The outcome is told. */
    public void abort(Subscribing subscribing, String reason) {
        if (subscribing.state != State.DONE) {
            refuse(subscribing, QUOTA_EXCEEDED, reason);
        }
    }

    /** A plain subscription that the broker has stored. */
    public void addPlain(Subscription subscription, long now) {
        interests.acquire(subscription.interest(edge), "", now, null);
        Subscription previous = table.put(subscription);
        if (previous != null) {
            interests.release(previous.interest(edge), null);
        }
        effects.storeRow(subscription, () -> {});
    }

    /**
     * A subscription of an earlier run, whose row and interest are in Kafka: it is served at once, and the interest asked
     * for anew, in case that the resolver has not had it.
     */
    public void restore(Subscription subscription, long now) {
        note(subscription);
        interests.acquire(subscription.interest(edge), subscription.descriptor(), now, null);
        table.put(subscription);
    }

    /**
     * Neighborhoods that the edge wants resolved without any client, from now on. Their topic filter is one that nobody
     * can publish on, so nothing is delivered by them.
     */
    public void hold(Set<NeighborhoodDescriptor> neighborhoods, long now) {
        Map<Interest, String> next = new LinkedHashMap<>();
        neighborhoods.forEach(n -> next.put(new Interest(n.id(), HiddenTopics.NOBODYS, edge), n.canonicalText()));
        next.forEach((interest, descriptor) -> {
            if (held.add(interest)) {
                interests.acquire(interest, descriptor, now, null);
            }
        });
        for (Interest interest : List.copyOf(held)) {
            if (!next.containsKey(interest)) {
                held.remove(interest);
                interests.release(interest, null);
            }
        }
    }

    /** Removes subscriptions and what they held; returns those that there were. */
    public List<Subscription> remove(Collection<Subscription.Key> keys) {
        List<Subscription> removed = new ArrayList<>();
        for (Subscription.Key key : keys) {
            Subscription subscription = table.remove(key);
            if (subscription != null) {
                removed.add(subscription);
                note(subscription);
                effects.dropRow(key);
                interests.release(subscription.interest(edge), null);
            }
        }
        return removed;
    }

    /** The client's session has ended: nothing of it stays. Returns the subscriptions that it had. */
    public List<Subscription> clientGone(String client) {
        abortAllOf(client);
        return remove(table.ofClient(client).stream().map(Subscription::key).toList());
    }

    /** The client's connection is gone: what was pending is taken back. */
    public void abortAllOf(String client) {
        for (Subscribing subscribing : List.copyOf(pending.keySet())) {
            if (subscribing.client().equals(client)) {
                abort(subscribing, "the client is gone");
            }
        }
    }

    /** The edge ends: all that was pending is taken back. */
    public void abortAll() {
        List.copyOf(pending.keySet()).forEach(subscribing -> abort(subscribing, "the edge ends"));
    }

    /** From now on an interest has to be active in these generations of the filters. */
    public void generations(List<Integer> wanted, long now) {
        interests.generations(wanted, now);
    }

    /** Whether all that is active in the other generations is active in this one, too. */
    public boolean areActiveIn(int generation) {
        return interests.areActiveIn(generation);
    }

    /** The resolver of a generation has answered; positions as (partition, offset). */
    public void resolved(long requestId, int generation, int reasonCode, String reason, Map<Integer, Long> positions) {
        interests.resolved(
                requestId,
                generation,
                reasonCode,
                reason,
                positions.entrySet().stream()
                        .map(p -> new Position(p.getKey(), p.getValue()))
                        .toList());
    }

    /** {@link AppliedPositions} has moved. */
    public void appliedMoved() {
        interests.appliedMoved();
    }

    /** Repeats requests and refuses what took too long. */
    public void tick(long now) {
        interests.tick(now);
        for (Subscribing subscribing : List.copyOf(pending.keySet())) {
            if (subscribing.state != State.READY && now >= subscribing.deadline) {
                String waiting = subscribing.state == State.STORING_ROW
                        ? "Kafka has not acknowledged the subscription"
                        : interests.waitingFor(subscribing.interest);
                refuse(
                        subscribing,
                        QUOTA_EXCEEDED,
                        "neighborhood not active after " + subscribing.timeout + " ms: " + waiting);
            }
        }
    }

    /** Clients whose SUBSCRIBE is pending. */
    public Set<String> pendingClients() {
        Set<String> clients = new LinkedHashSet<>();
        pending.keySet().forEach(s -> clients.add(s.client()));
        return clients;
    }

    /** What is being served. */
    public SubscriptionTable table() {
        return table;
    }

    private void note(Subscription subscription) {
        if (subscription.isShared()) {
            groups.note(subscription.group());
        }
    }

    /** The groups that deliveries may be for. */
    public RecentGroups groups() {
        return groups;
    }

    /** Removes what is shared of all clients; to be called when the edge is about to end. */
    public List<Subscription> leaveGroups() {
        return remove(table.all().stream()
                .filter(Subscription::isShared)
                .map(Subscription::key)
                .toList());
    }

    /** The neighborhood that a request is about; null if the request has been dealt with. */
    public @Nullable NeighborhoodId requested(long requestId) {
        return interests.requested(requestId);
    }

    /** The neighborhoods that this edge holds or asks for. */
    public Set<NeighborhoodId> neighborhoods() {
        return interests.neighborhoods();
    }

    /** How many interests this edge holds or asks for. */
    public int interestCount() {
        return interests.size();
    }

    /** How many of them the resolver or a router has yet to confirm. */
    public int waitingInterests() {
        return interests.waiting();
    }

    /** For the rule on stale owners, which deliveries follow too. */
    public AppliedPositions applied() {
        return applied;
    }

    private boolean isAmbiguous(Subscription wanted) {
        long handle = wanted.handle();
        Group known = groups.get(handle);
        if (table.isAmbiguous(wanted) || (known != null && !(wanted.isShared() && known.equals(wanted.group())))) {
            return true;
        }
        return wanted.isShared()
                && pending.keySet().stream()
                        .anyMatch(other -> !other.wanted.isShared() && other.wanted.handle() == handle);
    }

    private void storeRow(Subscribing subscribing) {
        if (subscribing.state != State.REQUESTED) {
            return;
        }
        subscribing.state = State.STORING_ROW;
        effects.storeRow(subscribing.wanted, () -> {
            if (subscribing.state == State.STORING_ROW) {
                subscribing.state = State.READY;
                subscribing.outcome.ready();
            }
        });
    }

    private void refuse(Subscribing subscribing, int reasonCode, String reason) {
        State state = subscribing.state;
        Interests.Waiter waiter = finish(subscribing);
        if (state == State.STORING_ROW || state == State.READY) {
            Subscription.Key key = subscribing.wanted.key();
            Subscription old = table.get(key);
            if (old == null) {
                effects.dropRow(key);
            } else {
                effects.storeRow(old, () -> {});
            }
        }
        interests.release(subscribing.interest, waiter);
        if (state != State.READY) {
            subscribing.outcome.refused(reasonCode, reason);
        }
    }

    private Interests.Waiter finish(Subscribing subscribing) {
        subscribing.state = State.DONE;
        Interests.Waiter waiter = pending.remove(subscribing);
        if (waiter == null) {
            throw new IllegalStateException("already done: " + subscribing.wanted);
        }
        return waiter;
    }
}
