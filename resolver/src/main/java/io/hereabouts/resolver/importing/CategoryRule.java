package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import java.util.Map;
import java.util.Set;
import org.locationtech.jts.geom.Geometry;

/** Where an entity's categories come from. */
public interface CategoryRule {

    /**
     * The feature's categories; none if the rule leaves the feature out.
     *
     * @throws IllegalArgumentException saying what is wrong with the feature
     */
    Set<Category> apply(Map<String, String> properties, Geometry geometry);

    /** All features are of one category. */
    static CategoryRule constant(Category category) {
        return (properties, geometry) -> Set.of(category);
    }

    /**
     * A property or column holds the category.
     *
     * @param under a category to put it below, or empty
     */
    static CategoryRule ofProperty(String property, String under) {
        return (properties, geometry) -> {
            String value = properties.get(property);
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException("no category: property '" + property + "' is missing");
            }
            return Set.of(Category.of(under.isEmpty() ? value : under + "/" + value));
        };
    }

    /** OpenStreetMap tags, by the table in {@link OsmCategories}; a feature with none of these tags is left out. */
    static CategoryRule osmTags() {
        return OsmCategories::of;
    }
}
