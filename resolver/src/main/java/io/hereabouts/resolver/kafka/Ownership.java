package io.hereabouts.resolver.kafka;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.Partitions;
import java.util.Set;

/**
 * Which neighborhoods are this resolver's: those whose partition of {@code interests} is.
 *
 * @param owned partitions that it owns
 * @param count partitions that there are
 */
record Ownership(Set<Integer> owned, int count) {

    Ownership {
        owned = Set.copyOf(owned);
    }

    /** The partition that a neighborhood's records must be in. */
    int partitionOf(NeighborhoodId neighborhood) {
        return Partitions.partitionOf(neighborhood, count);
    }

    boolean owns(NeighborhoodId neighborhood) {
        return owned.contains(partitionOf(neighborhood));
    }
}
