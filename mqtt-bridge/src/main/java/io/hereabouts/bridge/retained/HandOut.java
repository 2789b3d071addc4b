package io.hereabouts.bridge.retained;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.Map;
import java.util.Set;

/**
 * A retained publication and who may be missing it. Whether they had it already as it was published is known where
 * deliveries are.
 *
 * @param subscriptions that are new
 * @param neighborhoods that the entity has come into; of each, the subscriptions that began to be served no later than the
 *     number says
 */
public record HandOut(Retained retained, Set<Subscription> subscriptions, Map<NeighborhoodId, Long> neighborhoods) {

    public HandOut {
        subscriptions = Set.copyOf(subscriptions);
        neighborhoods = Map.copyOf(neighborhoods);
    }
}
