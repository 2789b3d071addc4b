package io.hereabouts.resolver.importing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hereabouts.model.entity.Category;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Categories of OpenStreetMap features by a mapping in JSON. For each of a feature's tags the first rule that fits gives
 * the categories, so a church that is also a building is both; a feature for which no rule fits is left out.
 *
 * <pre>{@code
 * {"rules": [
 *   {"keys": ["highway"], "values": ["bus_stop"], "category": "transit/{value}"},
 *   {"keys": ["highway"], "on": ["point"], "category": "traffic/{value}"},        on: point, line, area; absent: all
 *   {"keys": ["amenity"], "values": ["parking"], "category": "parking/{parking|lot}"},
 *   {"keys": ["building", "shop"], "category": ["{key}/{value}", "indoor"]}]}     values absent: every value
 * }</pre>
 *
 * <p>{@code {key}} and {@code {value}} are the tag's own, {@code {other}} is the value of another tag; what follows
 * {@code |} stands in where the feature has no such tag, and without it the rule does not fit. Of a value {@code a;b} the
 * first counts; it is lower-cased, and what is neither letter, digit, {@code _}, {@code -} nor {@code :} becomes
 * {@code _}. A tag with the value {@code no} is as good as none. Immutable.
 */
public final class OsmCategories implements CategoryRule {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();
    private static final OsmCategories STANDARD = parse(standardText());
    private static final int LONGEST_VALUE = 64;

    private final Map<String, List<Rule>> byKey = new HashMap<>();

    private OsmCategories(List<Rule> rules) {
        for (Rule rule : rules) {
            for (String key : rule.keys) {
                byKey.computeIfAbsent(key, unused -> new ArrayList<>()).add(rule);
            }
        }
    }

    /** The mapping that is used where nobody gives another: {@code osm-categories.json} beside this class. */
    public static OsmCategories standard() {
        return STANDARD;
    }

    /** The text of the standard mapping, to begin one's own with. */
    public static String standardText() {
        try (InputStream in = OsmCategories.class.getResourceAsStream("osm-categories.json")) {
            return new String(Objects.requireNonNull(in, "osm-categories.json").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A mapping of one's own.
     *
     * @throws IllegalArgumentException naming the rule and what is wrong
     */
    public static OsmCategories parse(String text) {
        Mapping mapping;
        try {
            mapping = JSON.readValue(text, Mapping.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("OSM mapping: " + e.getOriginalMessage(), e);
        }
        if (mapping == null || mapping.rules == null || mapping.rules.isEmpty()) {
            throw new IllegalArgumentException("OSM mapping: $.rules: expected at least one rule");
        }
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < mapping.rules.size(); i++) {
            try {
                rules.add(mapping.rules.get(i).toRule());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("OSM mapping: $.rules[" + i + "]." + e.getMessage(), e);
            }
        }
        return new OsmCategories(rules);
    }

    @Override
    public Set<Category> apply(Map<String, String> tags, Shape shape) {
        Set<Category> categories = new TreeSet<>();
        tags.keySet().forEach(key -> {
            List<Rule> rules = byKey.get(key);
            if (rules != null) {
                add(rules, key, tags, shape, categories);
            }
        });
        return categories;
    }

    private static void add(
            List<Rule> rules, String key, Map<String, String> tags, Shape shape, Set<Category> categories) {
        String value = value(tags, key);
        if (value.isEmpty()) {
            return;
        }
        for (Rule rule : rules) {
            if ((rule.values.isEmpty() || rule.values.contains(value))
                    && (rule.shapes.isEmpty() || rule.shapes.contains(shape))) {
                List<String> filled = rule.filled(key, value, tags);
                if (filled != null) {
                    filled.forEach(path -> categories.add(Category.of(path)));
                    return;
                }
            }
        }
    }

    /** The tag's value as a category level, or empty if the feature has no such tag. */
    private static String value(Map<String, String> tags, String key) {
        String raw = tags.getOrDefault(key, "").toLowerCase(Locale.ROOT);
        int list = raw.indexOf(';');
        String first = (list < 0 ? raw : raw.substring(0, list)).strip();
        if (first.equals("no")) {
            return "";
        }
        StringBuilder level = new StringBuilder(first.length());
        first.codePoints()
                .limit(LONGEST_VALUE)
                .map(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == ':' ? c : '_')
                .forEach(level::appendCodePoint);
        return level.toString();
    }

    private record Rule(List<String> keys, Set<String> values, Set<Shape> shapes, List<Template> templates) {

        /** The categories' paths; null if one of them asks for a tag that the feature has not. */
        @Nullable
        List<String> filled(String key, String value, Map<String, String> tags) {
            List<String> paths = new ArrayList<>(templates.size());
            for (Template template : templates) {
                String path = template.fill(name -> switch (name) {
                    case "key" -> key;
                    case "value" -> value;
                    default -> value(tags, name);
                });
                if (path == null) {
                    return null;
                }
                paths.add(path);
            }
            return paths;
        }
    }

    private record Mapping(@Nullable List<Entry> rules) {}

    private record Entry(
            @Nullable List<String> keys,
            @Nullable Set<String> values,
            @Nullable Set<Shape> on,
            @Nullable List<String> category) {

        Rule toRule() {
            if (keys == null || keys.isEmpty()) {
                throw new IllegalArgumentException("keys: expected at least one key");
            }
            if (category == null) {
                throw new IllegalArgumentException("category: missing; [] leaves features out");
            }
            return new Rule(
                    List.copyOf(keys),
                    values == null ? Set.of() : Set.copyOf(values),
                    on == null ? Set.of() : Set.copyOf(on),
                    category.stream().map(Template::parse).toList());
        }
    }
}
