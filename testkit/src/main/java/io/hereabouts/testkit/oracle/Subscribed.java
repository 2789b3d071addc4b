package io.hereabouts.testkit.oracle;

import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that is active.
 *
 * @param client client id
 * @param topicFilter without {@code $share}
 * @param neighborhoodId as the client will see it in what is delivered; empty for a plain subscription
 * @param descriptor null for a plain subscription
 * @param noLocal do not send the client what it published itself
 * @param qos maximum QoS, 0, 1 or 2
 */
public record Subscribed(
        String client,
        String topicFilter,
        String neighborhoodId,
        @Nullable NeighborhoodDescriptor descriptor,
        boolean noLocal,
        int qos) {

    public Subscribed {
        if (neighborhoodId.isEmpty() != (descriptor == null)) {
            throw new IllegalArgumentException("neighborhood-id and descriptor belong together: " + neighborhoodId);
        }
    }

    /** A plain subscription. */
    public static Subscribed plain(String client, String topicFilter, int qos) {
        return new Subscribed(client, topicFilter, "", null, false, qos);
    }

    /** A neighborhood subscription whose id the client chose. */
    public static Subscribed neighborhood(
            String client, String topicFilter, String neighborhoodId, NeighborhoodDescriptor descriptor, int qos) {
        return new Subscribed(client, topicFilter, neighborhoodId, descriptor, false, qos);
    }
}
