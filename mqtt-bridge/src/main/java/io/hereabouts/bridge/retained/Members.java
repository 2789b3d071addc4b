package io.hereabouts.bridge.retained;

import io.hereabouts.model.neighborhood.NeighborhoodId;

/** The entities of neighborhoods, as far as they were read. */
public interface Members {

    boolean contains(NeighborhoodId neighborhood, String entity);

    /** How many there are. */
    int count(NeighborhoodId neighborhood);

    /** The entities, some perhaps twice. */
    Iterable<String> of(NeighborhoodId neighborhood);
}
