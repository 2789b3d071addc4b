package io.hereabouts.model.interest;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.SubscribedFilter;

/**
 * Those who share a topic filter in a neighborhood under one share name, on whatever edges: each publication goes to one of
 * them. With another neighborhood it is another group.
 *
 * @param filter with a share name
 */
public record Group(NeighborhoodId neighborhood, SubscribedFilter filter) {

    public Group {
        if (neighborhood.isEverywhere() || filter.share().isNone()) {
            throw new IllegalArgumentException("no group: " + filter + " in neighborhood " + neighborhood);
        }
    }

    /**
     * What deliveries call it, beside the handles of neighborhoods: 8 bytes of a SHA-256. Two with one handle cannot be
     * served together at one edge.
     */
    public long handle() {
        return NeighborhoodId.ofCanonical(neighborhood.value() + "|" + filter.text())
                .handle();
    }
}
