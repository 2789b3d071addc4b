package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A category with places to be filled, {@code {name}} or {@code {name|what stands in}}. Immutable. */
record Template(String text) {

    private static final Pattern PLACE = Pattern.compile("\\{([^{}|]+)(?:\\|([^{}|]*))?}");

    /** @throws IllegalArgumentException saying what is wrong */
    static Template parse(String text) {
        String sample = PLACE.matcher(text).replaceAll("x");
        if (sample.indexOf('{') >= 0 || sample.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "category: '" + text + "' has a brace that is not {name} or {name|value}");
        }
        try {
            Category.of(sample);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("category: '" + text + "': " + e.getMessage(), e);
        }
        return new Template(text);
    }

    /**
     * The text with its places filled.
     *
     * @param values gives a place's value by its name, empty if there is none
     * @return null if a place without a stand-in has no value
     */
    @Nullable
    String fill(UnaryOperator<String> values) {
        Matcher place = PLACE.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (place.find()) {
            String value = values.apply(place.group(1));
            String filling = value.isEmpty() ? place.group(2) : value;
            if (filling == null) {
                return null;
            }
            place.appendReplacement(filled, Matcher.quoteReplacement(filling));
        }
        return place.appendTail(filled).toString();
    }
}
