package io.hereabouts.bridge.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of the security file that is read key by key. Whatever is wrong is noted with its path and goes on; keys that
 * nobody asked for are wrong, too. Not thread-safe.
 */
final class Yaml {

    private final String path;
    private final @Nullable JsonNode node;
    private final List<String> problems;
    private final Set<String> asked = new HashSet<>();

    private Yaml(String path, @Nullable JsonNode node, List<String> problems) {
        this.path = path;
        this.node = node;
        this.problems = problems;
    }

    /** The whole file; what is wrong is added to {@code problems}. */
    static Yaml of(JsonNode root, List<String> problems) {
        return new Yaml("", root.isObject() ? root : null, problems);
    }

    String path() {
        return path;
    }

    void problem(String key, String what) {
        problems.add(at(key) + ": " + what);
    }

    private String at(String key) {
        return path.isEmpty() ? key : key.isEmpty() ? path : path + "." + key;
    }

    private @Nullable JsonNode get(String key) {
        asked.add(key);
        JsonNode found = node == null ? null : node.get(key);
        return found == null || found.isNull() ? null : found;
    }

    boolean has(String key) {
        return get(key) != null;
    }

    /** True if the value is this word. */
    boolean is(String key, String word) {
        JsonNode found = get(key);
        return found != null && found.isTextual() && found.textValue().equals(word);
    }

    Optional<String> text(String key) {
        JsonNode found = get(key);
        if (found == null) {
            return Optional.empty();
        }
        if (!found.isValueNode() || found.asText().isBlank()) {
            problem(key, "expected a text");
            return Optional.empty();
        }
        return Optional.of(found.asText());
    }

    /** As {@link #text}; noted if it is missing. */
    String needed(String key) {
        if (!has(key)) {
            problem(key, "is missing");
        }
        return text(key).orElse("");
    }

    /** The texts of a list, or one text that stands for a list of it. */
    List<String> texts(String key) {
        JsonNode found = get(key);
        List<String> texts = new ArrayList<>();
        if (found == null) {
            return texts;
        }
        if (found.isTextual()) {
            return List.of(found.textValue());
        }
        if (!found.isArray() || found.isEmpty()) {
            problem(key, "expected a list of texts");
            return texts;
        }
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).isTextual() && !found.get(i).textValue().isEmpty()) {
                texts.add(found.get(i).textValue());
            } else {
                problem(key + "[" + i + "]", "expected a text");
            }
        }
        return texts;
    }

    Set<String> words(String key) {
        return new LinkedHashSet<>(texts(key));
    }

    /** The mapping under a key. */
    Optional<Yaml> mapping(String key) {
        JsonNode found = get(key);
        if (found == null) {
            return Optional.empty();
        }
        if (!found.isObject()) {
            problem(key, "expected a mapping");
            return Optional.empty();
        }
        return Optional.of(new Yaml(at(key), found, problems));
    }

    /** The mappings that a mapping under a key names. */
    Map<String, Yaml> mappings(String key) {
        Map<String, Yaml> all = new LinkedHashMap<>();
        mapping(key).ifPresent(outer -> {
            if (outer.node != null) {
                outer.node.fieldNames().forEachRemaining(name -> outer.mapping(name)
                        .ifPresentOrElse(inner -> all.put(name, inner), () -> {
                            if (!outer.has(name)) {
                                outer.problem(name, "expected a mapping");
                            }
                        }));
            }
        });
        return all;
    }

    /** The mappings of a list. */
    List<Yaml> list(String key) {
        JsonNode found = get(key);
        List<Yaml> all = new ArrayList<>();
        if (found == null) {
            return all;
        }
        if (!found.isArray()) {
            problem(key, "expected a list");
            return all;
        }
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).isObject()) {
                all.add(new Yaml(at(key) + "[" + i + "]", found.get(i), problems));
            } else {
                problem(key + "[" + i + "]", "expected a mapping");
            }
        }
        return all;
    }

    /** The mapping as JSON. */
    String json() {
        return String.valueOf(node);
    }

    /** Notes the keys that nobody asked for. */
    void done() {
        if (node != null) {
            node.fieldNames().forEachRemaining(name -> {
                if (!asked.contains(name)) {
                    problem(
                            name,
                            "is no key here, expected one of "
                                    + asked.stream().sorted().toList());
                }
            });
        }
    }
}
