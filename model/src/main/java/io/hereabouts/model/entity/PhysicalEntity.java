package io.hereabouts.model.entity;

import java.util.SortedSet;
import java.util.TreeSet;
import org.locationtech.jts.geom.Geometry;

/**
 * A physical entity of the world model: a road segment, a building, a zone. The geometry is lon/lat WGS 84 and must not
 * be changed after it was handed over.
 *
 * @param id unique in the world
 * @param geometry valid and not empty; who imports checks that
 * @param categories at least one, sorted
 */
public record PhysicalEntity(EntityId id, Geometry geometry, SortedSet<Category> categories) {

    public PhysicalEntity {
        if (categories.isEmpty()) {
            throw new IllegalArgumentException("entity " + id + " has no category");
        }
        categories = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(categories));
    }

    /** True if one of the entity's categories is selected by {@code category}. */
    public boolean isA(Category category) {
        return categories.stream().anyMatch(category::selects);
    }
}
