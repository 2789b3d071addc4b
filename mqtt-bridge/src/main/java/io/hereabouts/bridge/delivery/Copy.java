package io.hereabouts.bridge.delivery;

import io.hereabouts.bridge.subscription.Subscription;
import java.util.List;

/**
 * What one client gets of one publication.
 *
 * @param qos the lower of the publication's and the highest of the matching subscriptions'
 * @param neighborhoodIds of the matching subscriptions, as the client named them
 * @param subscriptionIdentifiers of the matching subscriptions
 * @param via the matching subscription with the highest QoS, by which the broker is to deliver
 */
public record Copy(
        String client, int qos, List<String> neighborhoodIds, List<Integer> subscriptionIdentifiers, Subscription via) {

    public Copy {
        neighborhoodIds = List.copyOf(neighborhoodIds);
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }
}
