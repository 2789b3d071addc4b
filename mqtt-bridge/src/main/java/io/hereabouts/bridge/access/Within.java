package io.hereabouts.bridge.access;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;
import java.util.Optional;

/** Where what a subscriber gets may be about. Immutable. */
sealed interface Within permits Within.Everywhere, Within.Some {

    /** Whether a subscription with this neighborhood, or a plain one, gets nothing else. Undecidable means no. */
    boolean covers(Optional<NeighborhoodDescriptor> asked);

    /** Plain subscriptions, so neighborhoods too. */
    record Everywhere() implements Within {
        @Override
        public boolean covers(Optional<NeighborhoodDescriptor> asked) {
            return true;
        }
    }

    /**
     * Subscriptions with a neighborhood that fits all that is said: the same as one of the neighborhoods; every category
     * that it selects within one of the categories. An empty list says nothing. Decided by the descriptors alone.
     */
    record Some(List<NeighborhoodId> neighborhoods, List<Category> categories) implements Within {

        public Some {
            neighborhoods = List.copyOf(neighborhoods);
            categories = List.copyOf(categories);
        }

        @Override
        public boolean covers(Optional<NeighborhoodDescriptor> asked) {
            if (asked.isEmpty()) {
                return false;
            }
            NeighborhoodDescriptor descriptor = asked.get();
            return (neighborhoods.isEmpty() || neighborhoods.contains(descriptor.id()))
                    && (categories.isEmpty() || selectsOnly(descriptor));
        }

        private boolean selectsOnly(NeighborhoodDescriptor descriptor) {
            return descriptor.select().stream()
                    .flatMap(stage -> descriptor.stages().get(stage).categories().stream())
                    .allMatch(found -> categories.stream().anyMatch(c -> c.selects(found)));
        }
    }
}
