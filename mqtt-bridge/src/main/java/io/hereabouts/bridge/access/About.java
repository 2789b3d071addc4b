package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;
import java.util.Optional;

/** What publications may be about. Immutable. */
sealed interface About permits About.Nothing, About.Anything, About.Entities {

    /** Whether a publication about this entity, or about none, is covered. */
    boolean covers(Optional<EntityId> entity, Places places);

    /** Publications without an entity. */
    record Nothing() implements About {
        @Override
        public boolean covers(Optional<EntityId> entity, Places places) {
            return entity.isEmpty();
        }
    }

    /** All publications, with or without an entity. */
    record Anything() implements About {
        @Override
        public boolean covers(Optional<EntityId> entity, Places places) {
            return true;
        }
    }

    /**
     * Publications about an entity that fits all that is said: one of the ids, one of the categories, one of the
     * neighborhoods. An empty list says nothing.
     */
    record Entities(List<EntityPattern> ids, List<Category> categories, List<NeighborhoodId> neighborhoods)
            implements About {

        public Entities {
            ids = List.copyOf(ids);
            categories = List.copyOf(categories);
            neighborhoods = List.copyOf(neighborhoods);
        }

        @Override
        public boolean covers(Optional<EntityId> about, Places places) {
            if (about.isEmpty()) {
                return false;
            }
            EntityId entity = about.get();
            return (ids.isEmpty() || ids.stream().anyMatch(id -> id.fits(entity)))
                    && (categories.isEmpty() || isOfACategory(places.categories(entity)))
                    && (neighborhoods.isEmpty() || neighborhoods.stream().anyMatch(n -> places.contains(n, entity)));
        }

        private boolean isOfACategory(List<Category> found) {
            return categories.stream().anyMatch(c -> found.stream().anyMatch(c::selects));
        }
    }
}
