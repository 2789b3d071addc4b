package io.hereabouts.bridge.retained;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Which retained publications may have to be handed out, and to whom. There are two occasions: a subscription is new, or an
 * entity has come into a neighborhood. On each, what is retained is a candidate, and so is what comes to be retained
 * within the time of grace: it may have been published, and routed, before the occasion, and only now be in the Kafka topic
 * of retained publications.
 *
 * <p>A candidate waits until all that was published before it has been routed and has reached this edge. Then it is known
 * whether it came to the subscription as it was published, and nothing older can come after it. Decides only; time is an
 * argument in milliseconds. Owned by the thread that reads the Kafka topics.
 */
public final class RetainedFeed {

    /** What came to be retained under one key and waits: the first, because it may be due soon, and the last. */
    private static final int OF_ONE_KEY = 2;

    private record Fresh(Wanted wanted, long until) {}

    private record Young(Subscription subscription, long until) {}

    private record Arrival(NeighborhoodId neighborhood, Set<String> entities, long asOf, long until) {}

    private static final class Candidate {
        final Retained retained;
        final Set<Subscription> subscriptions = new HashSet<>();
        final Map<NeighborhoodId, Long> neighborhoods = new HashMap<>();

        Candidate(Retained retained) {
            this.retained = retained;
        }

        void alsoFor(Candidate other) {
            subscriptions.addAll(other.subscriptions);
            other.neighborhoods.forEach((n, asOf) -> neighborhoods.merge(n, asOf, Math::max));
        }
    }

    private final RetainedTable table;
    private final Members members;
    private final long graceMillis;
    private final Deque<Fresh> fresh = new ArrayDeque<>();
    private final List<Young> young = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Map<RetainedKey, Deque<Candidate>> waiting = new LinkedHashMap<>();
    private long servedUpTo;

    /** @param graceMillis how long after a publication is in Kafka its retained record may follow */
    public RetainedFeed(RetainedTable table, Members members, long graceMillis) {
        this.table = table;
        this.members = members;
        this.graceMillis = graceMillis;
    }

    /** A subscription begins to be served. */
    public void subscribed(Wanted wanted, long now) {
        fresh.add(new Fresh(wanted, now + graceMillis));
    }

    /** Whether there are new subscriptions, and something for them. */
    public boolean hasFresh() {
        return !fresh.isEmpty() && !table.isEmpty();
    }

    /** The last of the new subscriptions. */
    public long lastFresh() {
        return fresh.isEmpty() ? servedUpTo : fresh.getLast().wanted().since();
    }

    /** The neighborhoods whose entities have to be known for the new subscriptions, and for those in their time of grace. */
    public Set<NeighborhoodId> neighborhoods() {
        Set<NeighborhoodId> all = new HashSet<>();
        for (Fresh each : fresh) {
            Subscription subscription = each.wanted().subscription();
            if (each.wanted().retained() && !subscription.isPlain()) {
                all.add(subscription.neighborhood());
            }
        }
        for (Young each : young) {
            if (!each.subscription().isPlain()) {
                all.add(each.subscription().neighborhood());
            }
        }
        return all;
    }

    /**
     * All that was in Kafka when the subscriptions up to this one were new has been read: they get what is retained.
     *
     * @param since of the last of them
     */
    public void serve(long since, long now) {
        while (!fresh.isEmpty() && fresh.getFirst().wanted().since() <= since) {
            Wanted wanted = fresh.removeFirst().wanted();
            servedUpTo = wanted.since();
            if (wanted.retained()) {
                Subscription subscription = wanted.subscription();
                forEachOf(
                        subscription,
                        retained -> candidate(retained).subscriptions.add(subscription));
                young.add(new Young(subscription, now + graceMillis));
            }
        }
    }

    /** Something is retained that was not before. */
    public void changed(Retained retained) {
        String entity = retained.key().entity();
        for (Young each : young) {
            if (isFor(each.subscription(), retained)) {
                candidate(retained).subscriptions.add(each.subscription());
            }
        }
        for (Arrival each : arrivals) {
            if (each.entities().contains(entity)) {
                candidate(retained).neighborhoods.merge(each.neighborhood(), each.asOf(), Math::max);
            }
        }
    }

    /** What was retained before this position is not retained any more. */
    public void cleared(RetainedKey key, SourcePosition at) {
        Deque<Candidate> ofKey = waiting.get(key);
        if (ofKey != null) {
            ofKey.removeIf(c -> c.retained.position().compareTo(at) < 0);
            if (ofKey.isEmpty()) {
                waiting.remove(key);
            }
        }
    }

    /** Entities have come into a neighborhood whose subscriptions are being served. */
    public void entered(NeighborhoodId neighborhood, Set<String> entities, long now) {
        Arrival arrival = new Arrival(neighborhood, Set.copyOf(entities), servedUpTo, now + graceMillis);
        arrivals.add(arrival);
        for (String entity : entities) {
            for (Retained retained : table.about(entity)) {
                candidate(retained).neighborhoods.merge(neighborhood, arrival.asOf(), Math::max);
            }
        }
    }

    /** Forgets occasions whose time of grace is over; also those of subscriptions that there never was anything for. */
    public void tick(long now) {
        young.removeIf(each -> each.until() <= now);
        arrivals.removeIf(each -> each.until() <= now);
        while (table.isEmpty() && !fresh.isEmpty() && fresh.getFirst().until() <= now) {
            servedUpTo = fresh.removeFirst().wanted().since();
        }
    }

    /** Whether candidates wait. */
    public boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /**
     * The candidates that need not wait any longer, in the order of their positions. Of one key only the last.
     *
     * @param routed whether all up to this one has been routed and has reached this edge
     */
    public List<HandOut> due(Predicate<Retained> routed, long now) {
        List<Candidate> due = new ArrayList<>();
        for (Iterator<Deque<Candidate>> all = waiting.values().iterator(); all.hasNext(); ) {
            Deque<Candidate> ofKey = all.next();
            Candidate last = null;
            while (!ofKey.isEmpty() && routed.test(ofKey.getFirst().retained)) {
                Candidate next = ofKey.removeFirst();
                if (last != null) {
                    next.alsoFor(last);
                }
                last = next;
            }
            if (last != null && last.retained.expiresAt() > now) {
                due.add(last);
            }
            if (ofKey.isEmpty()) {
                all.remove();
            }
        }
        return due.stream()
                .sorted(Comparator.comparing(c -> c.retained.position()))
                .map(c -> new HandOut(c.retained, c.subscriptions, c.neighborhoods))
                .toList();
    }

    private Candidate candidate(Retained retained) {
        Deque<Candidate> ofKey = waiting.computeIfAbsent(retained.key(), k -> new ArrayDeque<>(OF_ONE_KEY));
        Candidate last = ofKey.peekLast();
        if (last != null && last.retained.position().equals(retained.position())) {
            return last;
        }
        Candidate next = new Candidate(retained);
        if (last != null && ofKey.size() == OF_ONE_KEY) {
            ofKey.removeLast();
            next.alsoFor(last);
        }
        ofKey.addLast(next);
        return next;
    }

    private boolean isFor(Subscription subscription, Retained retained) {
        return subscription.topicFilter().matches(retained.key().topic())
                && (subscription.isPlain()
                        || members.contains(
                                subscription.neighborhood(), retained.key().entity()));
    }

    /** Goes through the entities that something is retained about, or through the neighborhood, whichever are fewer. */
    private void forEachOf(Subscription subscription, Consumer<Retained> each) {
        NeighborhoodId neighborhood = subscription.neighborhood();
        boolean few = !subscription.isPlain() && members.count(neighborhood) < table.entityCount();
        for (String entity : few ? members.of(neighborhood) : table.entities()) {
            for (Retained retained : table.about(entity)) {
                if (isFor(subscription, retained)) {
                    each.accept(retained);
                }
            }
        }
    }
}
