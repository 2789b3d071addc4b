package io.hereabouts.schemas.descriptor;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a neighborhood descriptor from JSON and refuses what is not one, naming the JSON path. What it returns is
 * canonical. Which entities exist is not its business. Immutable and thread-safe.
 */
public final class DescriptorParser {

    private static final Pattern DE9IM = Pattern.compile("[TF*012]{9}");

    private final DescriptorLimits limits;
    private final JsonMapper json;

    public DescriptorParser(DescriptorLimits limits) {
        this.limits = limits;
        this.json = JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
                .build();
        json.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.maxDepth() * 2 + 16)
                        .maxNumberLength(100)
                        .build());
    }

    /**
     * The same descriptor as it can travel in a user property: brokers may treat control characters as malformed (MQTT
     * 5.0 §1.5.4), line ends among them. In JSON they only stand between tokens, where a space is as good.
     */
    public static String onOneLine(String text) {
        return text.strip().replaceAll("\\p{Cntrl}", " ");
    }

    /**
     * Parses a descriptor.
     *
     * @throws InvalidDescriptorException naming the JSON path of the first thing that is wrong, and what was expected
     */
    public NeighborhoodDescriptor parse(String text) throws InvalidDescriptorException {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limits.maxBytes()) {
            throw new InvalidDescriptorException(
                    "$", "descriptor has " + bytes + " bytes, the limit is " + limits.maxBytes());
        }
        JsonNode root;
        try {
            root = json.readTree(text);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new InvalidDescriptorException(
                    "$", "malformed JSON" + where + ": " + firstLine(e.getOriginalMessage()));
        }
        expectObject(root, "$", Set.of("stages", "select"));
        JsonNode stageNodes = expectArray(root, "stages", "$", 1, limits.maxStages());
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < stageNodes.size(); i++) {
            stages.add(stage(stageNodes.get(i), "$.stages[" + i + "]", i));
        }
        List<Integer> select = root.has("select")
                ? indexes(expectArray(root, "select", "$", 1, limits.maxStages()), "$.select", stages.size(), "a stage")
                : List.of();
        return NeighborhoodDescriptor.canonical(stages, select);
    }

    private Stage stage(JsonNode node, String path, int index) throws InvalidDescriptorException {
        expectObject(node, path, Set.of("references", "from", "categories", "where", "match"));
        List<Reference> references = new ArrayList<>();
        if (node.has("references")) {
            JsonNode list = expectArray(node, "references", path, 1, limits.maxReferences());
            for (int i = 0; i < list.size(); i++) {
                references.add(reference(list.get(i), path + ".references[" + i + "]"));
            }
        }
        List<Integer> from = node.has("from")
                ? indexes(
                        expectArray(node, "from", path, 1, limits.maxStages()),
                        path + ".from",
                        index,
                        "an earlier stage")
                : List.of();
        if (references.isEmpty() && from.isEmpty()) {
            throw new InvalidDescriptorException(path, "expected 'references' or 'from', found neither");
        }
        JsonNode list = expectArray(node, "categories", path, 1, limits.maxCategories());
        List<Category> categories = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            categories.add(category(list.get(i), path + ".categories[" + i + "]"));
        }
        Condition where = node.has("where") ? condition(node.get("where"), path + ".where", 1) : Condition.INTERSECTS;
        return new Stage(references, from, categories, where, quantifier(node, path));
    }

    private static Quantifier quantifier(JsonNode node, String path) throws InvalidDescriptorException {
        if (!node.has("match")) {
            return Quantifier.ANY;
        }
        JsonNode match = node.get("match");
        return Quantifier.byWord(match.isTextual() ? match.textValue() : "")
                .orElseThrow(() -> new InvalidDescriptorException(
                        path + ".match", "expected any, all or none, found " + brief(match)));
    }

    private static Reference reference(JsonNode node, String path) throws InvalidDescriptorException {
        if (node.isTextual()) {
            try {
                return new Reference.ToEntity(EntityId.of(node.textValue()));
            } catch (IllegalArgumentException e) {
                throw new InvalidDescriptorException(path, String.valueOf(e.getMessage()));
            }
        }
        expectObject(node, path, Set.of("geometry", "wkt"));
        if (node.size() != 1) {
            throw new InvalidDescriptorException(
                    path, "expected an entity id, {\"geometry\": GeoJSON} or {\"wkt\": text}, found " + brief(node));
        }
        return node.has("wkt")
                ? InlineGeometry.fromWkt(node.get("wkt"), path + ".wkt")
                : InlineGeometry.fromGeoJson(node.get("geometry"), path + ".geometry");
    }

    private static Category category(JsonNode node, String path) throws InvalidDescriptorException {
        if (!node.isTextual()) {
            throw new InvalidDescriptorException(path, "expected a category, found " + brief(node));
        }
        try {
            return Category.of(node.textValue());
        } catch (IllegalArgumentException e) {
            throw new InvalidDescriptorException(path, String.valueOf(e.getMessage()));
        }
    }

    private Condition condition(JsonNode node, String path, int depth) throws InvalidDescriptorException {
        if (depth > limits.maxDepth()) {
            throw new InvalidDescriptorException(path, "nested deeper than " + limits.maxDepth());
        }
        expectObject(node, path, Set.of("relation", "distance", "pattern", "and", "or", "not"));
        if (node.has("relation")) {
            return related(node, path);
        }
        if (node.size() != 1 || node.has("distance") || node.has("pattern")) {
            throw new InvalidDescriptorException(
                    path, "expected one of 'relation', 'and', 'or', 'not', found " + brief(node));
        }
        if (node.has("not")) {
            return new Condition.Not(condition(node.get("not"), path + ".not", depth + 1));
        }
        String operator = node.has("and") ? "and" : "or";
        JsonNode list = expectArray(node, operator, path, 1, limits.maxReferences());
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            parts.add(condition(list.get(i), path + "." + operator + "[" + i + "]", depth + 1));
        }
        return operator.equals("and") ? new Condition.And(parts) : new Condition.Or(parts);
    }

    private static Condition related(JsonNode node, String path) throws InvalidDescriptorException {
        for (String other : List.of("and", "or", "not")) {
            if (node.has(other)) {
                throw new InvalidDescriptorException(path, "'relation' and '" + other + "' exclude each other");
            }
        }
        JsonNode word = node.get("relation");
        Relation relation = Relation.byWord(word.isTextual() ? word.textValue() : "")
                .orElseThrow(() -> new InvalidDescriptorException(
                        path + ".relation",
                        "unknown relation " + brief(word) + ", expected one of " + Relation.words()));
        if (node.has("distance") != (relation == Relation.DWITHIN)) {
            throw new InvalidDescriptorException(
                    path + ".distance",
                    relation == Relation.DWITHIN
                            ? "missing: dwithin needs a distance in metres"
                            : "only dwithin takes a distance, not " + relation.word());
        }
        if (node.has("pattern") != (relation == Relation.RELATE)) {
            throw new InvalidDescriptorException(
                    path + ".pattern",
                    relation == Relation.RELATE
                            ? "missing: relate needs a DE-9IM pattern"
                            : "only relate takes a pattern, not " + relation.word());
        }
        if (relation == Relation.DWITHIN) {
            JsonNode distance = node.get("distance");
            double metres = distance.doubleValue();
            if (!distance.isNumber() || !Double.isFinite(metres) || metres < 0) {
                throw new InvalidDescriptorException(
                        path + ".distance", "expected metres, finite and not negative, found " + brief(distance));
            }
            return new Condition.Related(relation, metres == 0 ? 0 : metres, null);
        }
        if (relation == Relation.RELATE) {
            JsonNode pattern = node.get("pattern");
            String text = pattern.isTextual() ? pattern.textValue().toUpperCase(Locale.ROOT) : "";
            if (!DE9IM.matcher(text).matches()) {
                throw new InvalidDescriptorException(
                        path + ".pattern", "expected nine of T F * 0 1 2, found " + brief(pattern));
            }
            return new Condition.Related(relation, 0, text);
        }
        return new Condition.Related(relation, 0, null);
    }

    private static List<Integer> indexes(JsonNode list, String path, int below, String what)
            throws InvalidDescriptorException {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode node = list.get(i);
            // 1, 1.0 and 1e0 are one number in JSON
            if (!node.isNumber()
                    || !node.canConvertToExactIntegral()
                    || !node.canConvertToInt()
                    || node.intValue() < 0
                    || node.intValue() >= below) {
                throw new InvalidDescriptorException(
                        path + "[" + i + "]",
                        "expected the index of " + what + (below == 0 ? ", there is none" : ", 0 to " + (below - 1))
                                + ", found " + brief(node));
            }
            indexes.add(node.intValue());
        }
        return indexes;
    }

    private static void expectObject(JsonNode node, String path, Set<String> keys) throws InvalidDescriptorException {
        if (!node.isObject()) {
            throw new InvalidDescriptorException(path, "expected an object, found " + brief(node));
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!keys.contains(name)) {
                throw new InvalidDescriptorException(
                        path,
                        "unknown key '" + shortened(name) + "', expected "
                                + String.join(", ", keys.stream().sorted().toList()));
            }
        }
    }

    private static JsonNode expectArray(JsonNode parent, String key, String path, int min, int max)
            throws InvalidDescriptorException {
        JsonNode node = parent.get(key);
        String at = path + "." + key;
        if (node == null || !node.isArray()) {
            throw new InvalidDescriptorException(
                    at, "expected a list, found " + (node == null ? "nothing" : brief(node)));
        }
        if (node.size() < min) {
            throw new InvalidDescriptorException(at, "expected at least " + min + " element, found none");
        }
        if (node.size() > max) {
            throw new InvalidDescriptorException(at, "has " + node.size() + " elements, the limit is " + max);
        }
        return node;
    }

    static String brief(JsonNode node) {
        return node.isMissingNode() ? "nothing" : shortened(node.toString());
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return shortened(end < 0 ? message : message.substring(0, end));
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }
}
