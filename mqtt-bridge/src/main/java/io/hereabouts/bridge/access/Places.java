package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;

/** What an edge knows of entities. Safe for any thread; what it does not know yet it denies. */
public interface Places {

    /** Knows nothing. */
    Places NONE = new Places() {
        @Override
        public List<Category> categories(EntityId entity) {
            return List.of();
        }

        @Override
        public boolean contains(NeighborhoodId neighborhood, EntityId entity) {
            return false;
        }
    };

    /** The categories of an entity; none if the world does not have it. */
    List<Category> categories(EntityId entity);

    /** Whether the entity is in the neighborhood, as far as the edge has heard. */
    boolean contains(NeighborhoodId neighborhood, EntityId entity);
}
