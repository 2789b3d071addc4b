package io.hereabouts.bridge.retained;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Copy;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands retained publications to subscriptions that did not get them as they were published, and never an older one after
 * a newer one of the same topic name and entity. Which they are is decided where the Kafka topics are read
 * ({@link RetainedFeed}); what has been delivered is known here. Decides only. Owned by the edge's thread.
 */
public final class RetainedDeliveries {

    /** Who reads the Kafka topics; may be called from the edge's thread, which it does not hold up. */
    public interface Requests {
        void subscribed(Wanted wanted);

        /** These neighborhoods have subscriptions, which are to know what comes into them. */
        void follow(Set<NeighborhoodId> neighborhoods);
    }

    private static final int NEVER = 2;
    private static final int OVERHEAD_BYTES = 256;

    /** Subscriptions that are no more, at most, beside as many as there are. */
    private static final int SLACK = 1_000;

    private final SubscriptionTable subscriptions;
    private final RetainedTable table;
    private final ClientDeliveries deliveries;
    private final Requests requests;
    private final LastLive live = new LastLive();
    private final Map<Subscription.Key, Long> since = new HashMap<>();
    private long clock;

    public RetainedDeliveries(
            SubscriptionTable subscriptions, RetainedTable table, ClientDeliveries deliveries, Requests requests) {
        this.subscriptions = subscriptions;
        this.table = table;
        this.deliveries = deliveries;
        this.requests = requests;
    }

    /**
     * A subscription begins to be served. With Retain Handling 1 one that names another neighborhood under its id is new.
     *
     * @param before the one with the same key that it replaces
     */
    public void subscribed(Subscription subscription, @Nullable Subscription before) {
        boolean isNew = before == null || !before.neighborhood().equals(subscription.neighborhood());
        int handling = subscription.options().retainHandling();
        boolean wants = handling == 0 || (handling == 1 && isNew);
        clock++;
        if (isNew || wants) {
            since.put(subscription.key(), clock);
        }
        requests.subscribed(new Wanted(subscription, clock, wants));
    }

    /** A publication has come as it was published, and goes to the subscriptions of these neighborhoods. */
    public void live(String entity, Publication publication, SourcePosition position, List<Long> handles) {
        // one that is not retained, too: an older one that is may be on its way here
        if (publication.getRetain() || !table.isEmpty()) {
            live.note(new RetainedKey(publication.getTopic(), entity), position, handles, ++clock);
        }
    }

    /** Entities are no longer in a neighborhood. */
    public void left(NeighborhoodId neighborhood, Collection<String> entities) {
        entities.forEach(entity -> live.left(neighborhood.handle(), entity));
    }

    /**
     * Forgets subscriptions that are no more, where there are many.
     *
     * @param neighborhoods that there are subscriptions to
     */
    public void measure(Set<NeighborhoodId> neighborhoods) {
        if (since.size() > 2 * subscriptions.size() + SLACK) {
            since.keySet().removeIf(key -> subscriptions.get(key) == null);
        }
        requests.follow(neighborhoods);
    }

    /** To whoever is missing them. */
    public void handOut(List<HandOut> all, long now) {
        all.forEach(each -> handOut(each, now));
    }

    private void handOut(HandOut handOut, long now) {
        Retained retained = handOut.retained();
        RetainedKey key = retained.key();
        Set<Subscription> to = new LinkedHashSet<>();
        for (Subscription asked : handOut.subscriptions()) {
            Subscription current = subscriptions.get(asked.key());
            if (current != null && current.neighborhood().equals(asked.neighborhood())) {
                to.add(current);
            }
        }
        handOut.neighborhoods()
                .forEach((neighborhood, asOf) ->
                        subscriptions.forEachMatching(neighborhood.handle(), key.topic(), subscription -> {
                            if (subscription.neighborhood().equals(neighborhood)
                                    && subscription.options().retainHandling() != NEVER
                                    && since(subscription) <= asOf) {
                                to.add(subscription);
                            }
                        }));
        to.removeIf(subscription -> live.reached(
                key, retained.position(), subscription.neighborhood().handle(), since(subscription)));
        if (to.isEmpty()) {
            return;
        }
        Publication publication = retained.publication();
        String publisher = publication.getEdge().isEmpty() ? "" : publication.getPublisher();
        int bytes = retained.framed().length + OVERHEAD_BYTES;
        for (Subscription subscription : to) {
            if (!(subscription.options().noLocal() && subscription.client().equals(publisher))) {
                Copy copy = copy(subscription, publication.getQos());
                deliveries.offer(
                        new Outgoing(copy, key.entity(), publication, retained.expiresAt(), bytes, true, 0), now);
            }
        }
    }

    private static Copy copy(Subscription subscription, int publishedQos) {
        Integer identifier = subscription.options().identifier();
        return new Copy(
                subscription.client(),
                Math.min(publishedQos, subscription.options().qos()),
                subscription.isPlain() ? List.of() : List.of(subscription.id()),
                identifier == null ? List.of() : List.of(identifier),
                subscription);
    }

    private long since(Subscription subscription) {
        return since.getOrDefault(subscription.key(), 0L);
    }
}
