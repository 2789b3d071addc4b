package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where an entity's categories come from. */
public interface CategoryRule {

    /**
     * The feature's categories; none if the rule leaves the feature out.
     *
     * @throws IllegalArgumentException saying what is wrong with the feature
     */
    Set<Category> apply(Map<String, String> properties, Shape shape);

    /** All features are of one category. */
    static CategoryRule constant(Category category) {
        return (properties, shape) -> Set.of(category);
    }

    /**
     * A property or column holds the category, or a list of them.
     *
     * @param under a category to put it below, or empty
     */
    static CategoryRule ofProperty(String property, String under) {
        return (properties, shape) -> {
            String value = properties.get(property);
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException("no category: property '" + property + "' is missing");
            }
            return Arrays.stream(value.split(RawFeature.LIST, -1))
                    .map(path -> Category.of(under.isEmpty() ? path : under + "/" + path))
                    .collect(Collectors.toUnmodifiableSet());
        };
    }

    /** OpenStreetMap tags, by {@link OsmCategories#standard}; a feature with none of these tags is left out. */
    static CategoryRule osmTags() {
        return OsmCategories.standard();
    }
}
