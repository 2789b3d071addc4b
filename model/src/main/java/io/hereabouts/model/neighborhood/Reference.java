package io.hereabouts.model.neighborhood;

import io.hereabouts.model.entity.EntityId;

/** What a stage relates its candidates to: an entity of the world, or a geometry that the descriptor brings along. */
public sealed interface Reference {

    /** An entity of the world model. */
    record ToEntity(EntityId id) implements Reference {}

    /**
     * A geometry of the descriptor's own.
     *
     * @param wkt lon/lat WGS 84, as JTS' {@code WKTWriter} writes it, so that equal geometries have equal text
     */
    record ToGeometry(String wkt) implements Reference {}
}
