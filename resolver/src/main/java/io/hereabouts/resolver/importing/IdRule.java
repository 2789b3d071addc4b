package io.hereabouts.resolver.importing;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where an entity's id comes from. Immutable.
 *
 * @param property the property or column, or null for the feature's own id
 * @param prefix put before it, such as {@code district/}; may be empty
 */
public record IdRule(@Nullable String property, String prefix) {

    /** The {@code id} member of a GeoJSON Feature. */
    public static IdRule ofFeature() {
        return new IdRule(null, "");
    }

    /** A property or column. */
    public static IdRule ofProperty(String property) {
        return new IdRule(property, "");
    }

    /** The same id with something put before it. */
    public IdRule withPrefix(String before) {
        return new IdRule(property, before);
    }

    /** The id, or null if the feature has none. */
    @Nullable
    String apply(@Nullable String featureId, Map<String, String> properties) {
        String id = property == null ? featureId : properties.get(property);
        return id == null || id.isEmpty() ? null : prefix + id;
    }

    /** The prefix, if there is one. */
    public List<String> prefixes() {
        return prefix.isEmpty() ? List.of() : List.of(prefix);
    }

    /** What the rule looks for, for messages. */
    String wanted() {
        return property == null ? "member 'id'" : "property '" + property + "'";
    }
}
