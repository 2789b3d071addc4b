package io.hereabouts.bridge.subscription;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The active subscriptions of this edge, by client and by what a delivery names: neighborhood handle and topic. Finding
 * the matching ones costs a comparison for each distinct topic filter of the handle; what was found for a topic is
 * remembered until the handle's topic filters change. Owned by one thread.
 */
public final class SubscriptionTable {

    private static final int REMEMBERED_TOPICS = 4_096;

    private final Map<String, Map<Subscription.Key, Subscription>> byClient = new HashMap<>();
    private final Map<Long, OfHandle> byHandle = new HashMap<>();
    /** By neighborhood, those that are shared: they have handles of their own. */
    private final Map<NeighborhoodId, Set<Subscription>> shared = new HashMap<>();

    private final ToLongFunction<Subscription> handles;
    private int size;

    public SubscriptionTable() {
        this(Subscription::handle);
    }

    SubscriptionTable(ToLongFunction<Subscription> handles) {
        this.handles = handles;
    }

    /** Adds the subscription; returns the one with the same key that it replaces. */
    public @Nullable Subscription put(Subscription subscription) {
        Subscription.Key key = subscription.key();
        Subscription previous = byClient.computeIfAbsent(subscription.client(), c -> new LinkedHashMap<>())
                .put(key, subscription);
        if (previous == null) {
            size++;
        } else {
            unlink(previous);
        }
        byHandle.computeIfAbsent(handles.applyAsLong(subscription), h -> new OfHandle())
                .add(subscription);
        if (subscription.isShared()) {
            shared.computeIfAbsent(subscription.neighborhood(), n -> new LinkedHashSet<>())
                    .add(subscription);
        }
        return previous;
    }

    /** The subscription with this key. */
    public @Nullable Subscription get(Subscription.Key key) {
        Map<Subscription.Key, Subscription> ofClient = byClient.get(key.client());
        return ofClient == null ? null : ofClient.get(key);
    }

    /** Removes and returns the subscription with this key. */
    public @Nullable Subscription remove(Subscription.Key key) {
        Map<Subscription.Key, Subscription> ofClient = byClient.get(key.client());
        Subscription removed = ofClient == null ? null : ofClient.remove(key);
        if (ofClient != null && ofClient.isEmpty()) {
            byClient.remove(key.client());
        }
        if (removed != null) {
            size--;
            unlink(removed);
        }
        return removed;
    }

    /** The client's subscriptions, oldest first; a copy. */
    public List<Subscription> ofClient(String client) {
        Map<Subscription.Key, Subscription> ofClient = byClient.get(client);
        return ofClient == null ? List.of() : List.copyOf(ofClient.values());
    }

    /**
     * Whether deliveries for it could not be told from those for others: a neighborhood or a group has the same handle by
     * chance, or because somebody wants it so.
     */
    boolean isAmbiguous(Subscription subscription) {
        OfHandle ofHandle = byHandle.get(handles.applyAsLong(subscription));
        return ofHandle != null && !ofHandle.any().isServedAs(subscription);
    }

    /** Whether there is a subscription for deliveries with this handle. */
    public boolean hasAny(long handle) {
        return byHandle.containsKey(handle);
    }

    /** Hands over every subscription to the neighborhood or of the group with this handle whose topic filter matches the topic name. */
    public void forEachMatching(long handle, String topic, Consumer<Subscription> each) {
        OfHandle ofHandle = byHandle.get(handle);
        if (ofHandle == null) {
            return;
        }
        for (Collection<Subscription> subscriptions : ofHandle.matching(topic)) {
            subscriptions.forEach(each);
        }
    }

    /** Hands over every subscription to the neighborhood, shared ones included. */
    public void forEachOf(NeighborhoodId neighborhood, Consumer<Subscription> each) {
        shared.getOrDefault(neighborhood, Set.of()).forEach(each);
        OfHandle ofHandle = byHandle.get(neighborhood.handle());
        if (ofHandle != null) {
            ofHandle.byFilter.values().stream()
                    .flatMap(subscriptions -> subscriptions.values().stream())
                    .filter(subscription -> subscription.neighborhood().equals(neighborhood))
                    .forEach(each);
        }
    }

    /** Clients that have a subscription. */
    public Collection<String> clients() {
        return List.copyOf(byClient.keySet());
    }

    /** All of them; a copy. */
    public List<Subscription> all() {
        List<Subscription> all = new ArrayList<>(size);
        byClient.values().forEach(ofClient -> all.addAll(ofClient.values()));
        return all;
    }

    public int size() {
        return size;
    }

    private void unlink(Subscription subscription) {
        long handle = handles.applyAsLong(subscription);
        shared.computeIfPresent(subscription.neighborhood(), (n, all) -> {
            all.remove(subscription);
            return all.isEmpty() ? null : all;
        });
        OfHandle ofHandle = byHandle.get(handle);
        if (ofHandle != null && ofHandle.remove(subscription)) {
            byHandle.remove(handle);
        }
    }

    private static final class OfHandle {
        private final Map<TopicFilter, Map<Subscription.Key, Subscription>> byFilter = new HashMap<>();
        private final Map<String, List<Collection<Subscription>>> matching = new HashMap<>();

        void add(Subscription subscription) {
            byFilter.computeIfAbsent(subscription.topicFilter(), f -> {
                        matching.clear();
                        return new LinkedHashMap<>();
                    })
                    .put(subscription.key(), subscription);
        }

        /** True if nothing is left. */
        boolean remove(Subscription subscription) {
            Map<Subscription.Key, Subscription> ofFilter = byFilter.get(subscription.topicFilter());
            if (ofFilter != null) {
                ofFilter.remove(subscription.key());
                if (ofFilter.isEmpty()) {
                    byFilter.remove(subscription.topicFilter());
                    matching.clear();
                }
            }
            return byFilter.isEmpty();
        }

        Subscription any() {
            return byFilter.values().iterator().next().values().iterator().next();
        }

        List<Collection<Subscription>> matching(String topic) {
            List<Collection<Subscription>> known = matching.get(topic);
            if (known != null) {
                return known;
            }
            List<Collection<Subscription>> found = new ArrayList<>();
            byFilter.forEach((filter, subscriptions) -> {
                if (filter.matches(topic)) {
                    found.add(subscriptions.values());
                }
            });
            if (matching.size() >= REMEMBERED_TOPICS) {
                matching.clear();
            }
            matching.put(topic, found);
            return found;
        }
    }
}
