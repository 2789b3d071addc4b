package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;
import java.util.Set;

/**
 * What became of a neighborhood that edges hold when the world changed.
 *
 * @param edges that hold it, at least one
 * @param worldVersion that its spatial filter is of
 * @param entityCount of its spatial filter
 * @param missing references that are gone and were left out
 * @param failure why it could not be resolved again, so that its spatial filter is an older one; empty if it was
 */
public record Status(
        NeighborhoodId neighborhood,
        Set<EdgeId> edges,
        long worldVersion,
        int entityCount,
        List<EntityId> missing,
        String failure) {

    public Status {
        edges = Set.copyOf(edges);
        missing = List.copyOf(missing);
    }
}
