package io.hereabouts.bridge.delivery;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.share.Rendezvous;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * From the neighborhoods that a publication matched to the clients that get it: one copy a client, however many of its
 * subscriptions match. Costs in proportion to the matching subscriptions. No state.
 */
public final class Expansion {

    /**
     * What a publication is matched by.
     *
     * @param entity whose state is published
     * @param publisher client id of the publisher; empty if it did not come over MQTT, so that No Local concerns nobody
     */
    public record Matched(List<Long> handles, String entity, String topic, int qos, String publisher) {}

    private Expansion() {}

    /**
     * The copies, in no particular order. Of a group one member has a copy, which is its own whatever else it gets (MQTT 5.0
     * §4.8.2): the one that {@link Rendezvous} chooses for the entity, among those that are connected if there are any.
     *
     * @param connected whether a client is connected
     */
    public static List<Copy> expand(SubscriptionTable table, Matched matched, Predicate<String> connected) {
        Map<String, List<Subscription>> byClient = new LinkedHashMap<>();
        List<Copy> copies = new ArrayList<>();
        for (long handle : matched.handles()) {
            List<Subscription> members = new ArrayList<>(0);
            table.forEachMatching(handle, matched.topic(), subscription -> {
                if (subscription.isShared()) {
                    members.add(subscription);
                    return;
                }
                boolean own = subscription.client().equals(matched.publisher());
                if (!(own && subscription.options().noLocal())) {
                    byClient.computeIfAbsent(subscription.client(), c -> new ArrayList<>(2))
                            .add(subscription);
                }
            });
            chosen(members, matched.entity(), connected)
                    .ifPresent(client -> copies.add(copy(client, ofClient(members, client), matched.qos())));
        }
        byClient.forEach((client, subscriptions) -> copies.add(copy(client, subscriptions, matched.qos())));
        return copies;
    }

    private static Optional<String> chosen(List<Subscription> members, String entity, Predicate<String> connected) {
        if (members.isEmpty()) {
            return Optional.empty();
        }
        Set<String> clients = new LinkedHashSet<>();
        members.forEach(member -> clients.add(member.client()));
        return Optional.ofNullable(Rendezvous.choose(clients, Rendezvous.hash(entity), Rendezvous::hash, connected));
    }

    private static List<Subscription> ofClient(List<Subscription> members, String client) {
        return members.stream().filter(member -> member.client().equals(client)).toList();
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
