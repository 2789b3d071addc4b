package io.hereabouts.bridge.status;

import io.hereabouts.bridge.subscription.HiddenTopics;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What this edge knows of the neighborhoods that it holds, and which clients want to be told. A client subscribes to
 * {@code $hereabouts/neighborhoods/<neighborhood-id>}, or with wildcards, and hears of its own neighborhoods: at once how
 * they are, then whenever that changes. Owned by one thread.
 */
public final class StatusBoard {

    /** Topic filters that a client may have here: at each change each of them is compared with each of its neighborhoods. */
    public static final int MAX_FILTERS = 100;

    /** Who tells clients. */
    public interface Output {
        /** @param neighborhoodId as the client named it */
        void tell(String client, String topic, String neighborhoodId, byte[] json);
    }

    private final SubscriptionTable subscriptions;
    private final Output output;
    private final Map<NeighborhoodId, Status> known = new HashMap<>();
    /** By client its topic filters, and whether the broker has stored them. */
    private final Map<String, Map<TopicFilter, Boolean>> wanted = new HashMap<>();

    /** @param subscriptions that are served */
    public StatusBoard(SubscriptionTable subscriptions, Output output) {
        this.subscriptions = subscriptions;
        this.output = output;
    }

    /** The resolver has answered a request for the neighborhood. That tells nothing of references that are gone. */
    public void resolved(Status status) {
        known.merge(
                status.neighborhood(),
                status,
                (before, now) -> before.worldVersion() < now.worldVersion() ? now : before);
    }

    /** The resolver says unasked what became of the neighborhood. */
    public void changed(Status status) {
        Status before = known.put(status.neighborhood(), status);
        if (!status.equals(before) && !wanted.isEmpty()) {
            Set<Name> told = new HashSet<>();
            subscriptions.forEachOf(status.neighborhood(), subscription -> {
                if (told.add(Name.of(subscription))) {
                    tell(subscription);
                }
            });
        }
    }

    /** The subscription is served from now on. */
    public void subscribed(Subscription subscription) {
        tell(subscription);
    }

    /**
     * The client wants to be told of its neighborhoods with such topics.
     *
     * @return false if it has {@value #MAX_FILTERS} topic filters already; then nothing has changed
     */
    public boolean want(String client, TopicFilter filter) {
        Map<TopicFilter, Boolean> filters = wanted.computeIfAbsent(client, c -> new HashMap<>());
        if (filters.size() >= MAX_FILTERS && !filters.containsKey(filter)) {
            return false;
        }
        filters.putIfAbsent(filter, false);
        return true;
    }

    /** The broker has stored the topic filter: tells the client how its neighborhoods with such topics are. */
    public void stored(String client, TopicFilter filter) {
        wanted.computeIfAbsent(client, c -> new HashMap<>()).put(filter, true);
        Set<Name> told = new HashSet<>();
        for (Subscription subscription : subscriptions.ofClient(client)) {
            if (filter.matches(HiddenTopics.status(subscription.id())) && told.add(Name.of(subscription))) {
                tell(subscription);
            }
        }
    }

    /** The topic filters of each client that {@link #stored} was said of; a copy. */
    public Map<String, Set<TopicFilter>> told() {
        Map<String, Set<TopicFilter>> told = new HashMap<>();
        wanted.forEach((client, filters) -> filters.forEach((filter, stored) -> {
            if (stored) {
                told.computeIfAbsent(client, c -> new HashSet<>()).add(filter);
            }
        }));
        return told;
    }

    /** The client does not want that any more. */
    public void unwant(String client, String topicFilter) {
        wanted.computeIfPresent(client, (c, filters) -> {
            filters.keySet().removeIf(filter -> filter.value().equals(topicFilter));
            return filters.isEmpty() ? null : filters;
        });
    }

    /** The client's session has ended. */
    public void sessionEnded(String client) {
        wanted.remove(client);
    }

    /** Forgets all other neighborhoods. */
    public void retain(Set<NeighborhoodId> held) {
        known.keySet().retainAll(held);
    }

    private void tell(Subscription subscription) {
        Status status = known.get(subscription.neighborhood());
        Map<TopicFilter, Boolean> filters = wanted.get(subscription.client());
        if (status == null || filters == null || subscription.isPlain()) {
            return;
        }
        String topic = HiddenTopics.status(subscription.id());
        if (filters.entrySet().stream()
                .anyMatch(filter -> filter.getValue() && filter.getKey().matches(topic))) {
            output.tell(subscription.client(), topic, subscription.id(), status.json());
        }
    }

    /** What a client calls a neighborhood: on several topic filters it may be the same, and is told of once. */
    private record Name(String client, NeighborhoodId neighborhood, String id) {
        static Name of(Subscription subscription) {
            return new Name(subscription.client(), subscription.neighborhood(), subscription.id());
        }
    }
}
