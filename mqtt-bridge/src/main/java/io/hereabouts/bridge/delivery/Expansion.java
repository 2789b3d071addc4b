package io.hereabouts.bridge.delivery;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * From the neighborhoods that a publication matched to the clients that get it: one copy a client, however many of its
 * subscriptions match. Costs in proportion to the matching subscriptions. No state.
 */
public final class Expansion {

    /**
     * What a publication is matched by.
     *
     * @param publisher client id of the publisher; empty if it did not come over MQTT, so that No Local concerns nobody
     */
    public record Matched(List<Long> handles, String topic, int qos, String publisher) {}

    private Expansion() {}

    /** The copies, in no particular order. */
    public static List<Copy> expand(SubscriptionTable table, Matched matched) {
        Map<String, List<Subscription>> byClient = new LinkedHashMap<>();
        for (long handle : matched.handles()) {
            table.forEachMatching(handle, matched.topic(), subscription -> {
                boolean own = subscription.client().equals(matched.publisher());
                if (!(own && subscription.options().noLocal())) {
                    byClient.computeIfAbsent(subscription.client(), c -> new ArrayList<>(2))
                            .add(subscription);
                }
            });
        }
        List<Copy> copies = new ArrayList<>(byClient.size());
        byClient.forEach((client, subscriptions) -> copies.add(copy(client, subscriptions, matched.qos())));
        return copies;
    }

    private static Copy copy(String client, List<Subscription> subscriptions, int publishedQos) {
        Subscription via = subscriptions.get(0);
        List<String> ids = new ArrayList<>(subscriptions.size());
        List<Integer> identifiers = new ArrayList<>(subscriptions.size());
        for (Subscription subscription : subscriptions) {
            if (subscription.options().qos() > via.options().qos()) {
                via = subscription;
            }
            if (!subscription.isPlain() && !ids.contains(subscription.id())) {
                ids.add(subscription.id());
            }
            Integer identifier = subscription.options().identifier();
            if (identifier != null && !identifiers.contains(identifier)) {
                identifiers.add(identifier);
            }
        }
        return new Copy(client, Math.min(publishedQos, via.options().qos()), ids, identifiers, via);
    }
}
