package io.hereabouts.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Mapping} from JSON and notes everything that is wrong with it. Use once. */
final class MappingReader {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final List<String> problems = new ArrayList<>();

    private MappingReader() {}

    static Mapping read(String text) throws InvalidMappingException {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new InvalidMappingException(List.of("malformed JSON at line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": " + e.getOriginalMessage()));
        }
        MappingReader reader = new MappingReader();
        Mapping mapping = reader.mapping(root);
        if (mapping == null || !reader.problems.isEmpty()) {
            throw new InvalidMappingException(reader.problems);
        }
        return mapping;
    }

    private @Nullable Mapping mapping(JsonNode root) {
        if (!isObject(root, "mapping")) {
            return null;
        }
        refuseUnknown(
                root,
                "",
                Set.of(
                        "entity",
                        "topic",
                        "time",
                        "payload",
                        "contentType",
                        "qos",
                        "separator",
                        "quote",
                        "encoding",
                        "decimal",
                        "header"));
        Template entity = template(root, "entity");
        Template topic = template(root, "topic");
        if (topic != null && topic.toString().matches(".*[+#].*")) {
            problems.add("topic: '" + topic + "' has a wildcard, expected a topic name");
        }
        EventTimes time = time(root.path("time"));
        boolean comma = one(root, "decimal", ".", Set.of(".", ",")).equals(",");
        PayloadForm payload = payload(root.path("payload"), comma);
        String contentType = root.has("contentType")
                ? text(root, "contentType", "")
                : payload instanceof PayloadForm.Json ? "application/json" : null;
        int qos = Integer.parseInt(one(root, "qos", "1", Set.of("0", "1")));
        char separator = character(root, "separator", ',');
        char quote = character(root, "quote", '"');
        if (separator == quote) {
            problems.add("quote: is the separator too");
        }
        Charset encoding = encoding(text(root, "encoding", "UTF-8"));
        List<String> header = root.has("header") ? names(root.path("header"), "header") : List.of();
        if (entity == null || topic == null || time == null || payload == null) {
            return null;
        }
        Mapping mapping =
                new Mapping(entity, topic, time, payload, contentType, qos, separator, quote, encoding, header);
        if (!header.isEmpty() && !header.containsAll(mapping.columns())) {
            Set<String> missing = new TreeSet<>(mapping.columns());
            header.forEach(missing::remove);
            problems.add("header: lacks " + String.join(", ", missing));
        }
        return mapping;
    }

    private @Nullable EventTimes time(JsonNode node) {
        if (!isObject(node, "time")) {
            return null;
        }
        refuseUnknown(node, "time.", Set.of("columns", "format", "zone", "gap"));
        List<String> columns = names(node.path("columns"), "time.columns");
        String format = text(node, "format", null, "time.");
        if (format.isEmpty()) {
            return null;
        }
        ZoneId zone = ZoneOffset.UTC;
        if (EventTimes.needsZone(format)) {
            String name = text(node, "zone", null, "time.");
            try {
                zone = name.isEmpty() ? zone : ZoneId.of(name);
            } catch (DateTimeException e) {
                problems.add("time.zone: '" + name + "' is no time zone, expected one such as Europe/Berlin");
            }
        } else if (node.has("zone")) {
            problems.add("time.zone: " + format + " needs none");
        }
        boolean shiftGaps =
                one(node, "gap", "refuse", Set.of("refuse", "shift"), "time.").equals("shift");
        try {
            return EventTimes.of(columns, format, zone, shiftGaps);
        } catch (IllegalArgumentException e) {
            problems.add("time.format: " + e.getMessage());
            return null;
        }
    }

    private @Nullable PayloadForm payload(JsonNode node, boolean comma) {
        if (!isObject(node, "payload")) {
            return null;
        }
        refuseUnknown(node, "payload.", Set.of("columns", "time", "template"));
        if (node.has("template") == node.has("columns")) {
            problems.add("payload: expected either 'columns' or 'template'");
            return null;
        }
        if (node.has("template")) {
            if (node.has("time")) {
                problems.add("payload.time: goes with 'columns' only");
            }
            Template template = template(node, "template", "payload.");
            return template == null ? null : new PayloadForm.Text(template);
        }
        List<String> columns = names(node.path("columns"), "payload.columns");
        String timeKey = node.has("time") ? text(node, "time", null, "payload.") : "";
        if (columns.contains(timeKey)) {
            problems.add("payload.time: '" + timeKey + "' is one of the columns too");
        }
        return new PayloadForm.Json(columns, timeKey, comma);
    }

    private Charset encoding(String name) {
        try {
            Charset charset = Charset.forName(name);
            if (charset.canEncode() && Arrays.equals("\r\n;,\"".getBytes(charset), new byte[] {13, 10, 59, 44, 34})) {
                return charset;
            }
            problems.add("encoding: " + name + " is not a superset of ASCII");
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            problems.add("encoding: '" + name + "' is not known, expected one such as UTF-8 or ISO-8859-1");
        }
        return StandardCharsets.UTF_8;
    }

    private List<String> names(JsonNode node, String key) {
        List<String> names = new ArrayList<>();
        boolean good = node.isArray() && !node.isEmpty();
        for (JsonNode name : node) {
            good &= name.isTextual() && !name.textValue().isEmpty();
            names.add(name.asText());
        }
        if (!good) {
            problems.add(key + ": expected a list of column names, found " + brief(node));
        } else if (new HashSet<>(names).size() < names.size()) {
            problems.add(key + ": names a column twice");
        }
        return names;
    }

    private @Nullable Template template(JsonNode parent, String key) {
        return template(parent, key, "");
    }

    private @Nullable Template template(JsonNode parent, String key, String prefix) {
        String source = text(parent, key, null, prefix);
        try {
            return source.isEmpty() ? null : Template.parse(source);
        } catch (IllegalArgumentException e) {
            problems.add(prefix + key + ": " + e.getMessage());
            return null;
        }
    }

    private char character(JsonNode root, String key, char ifAbsent) {
        String text = text(root, key, String.valueOf(ifAbsent));
        if (text.length() == 1 && text.charAt(0) < 128 && text.charAt(0) != '\n' && text.charAt(0) != '\r') {
            return text.charAt(0);
        }
        if (!text.isEmpty()) {
            problems.add(key + ": expected one ASCII character, found '" + text + "'");
        }
        return ifAbsent;
    }

    private String one(JsonNode root, String key, String ifAbsent, Set<String> allowed) {
        return one(root, key, ifAbsent, allowed, "");
    }

    private String one(JsonNode root, String key, String ifAbsent, Set<String> allowed, String prefix) {
        String value = root.has(key) ? root.path(key).asText() : ifAbsent;
        if (allowed.contains(value)) {
            return value;
        }
        problems.add(prefix + key + ": expected one of " + String.join(" ", new TreeSet<>(allowed)) + ", found "
                + brief(root.path(key)));
        return ifAbsent;
    }

    private String text(JsonNode parent, String key, @Nullable String ifAbsent) {
        return text(parent, key, ifAbsent, "");
    }

    /** The text under the key; if there is none, notes it and answers "". */
    private String text(JsonNode parent, String key, @Nullable String ifAbsent, String prefix) {
        JsonNode node = parent.path(key);
        if (node.isMissingNode() && ifAbsent != null) {
            return ifAbsent;
        }
        if (node.isTextual() && !node.textValue().isEmpty()) {
            return node.textValue();
        }
        problems.add(prefix + key + ": expected text, found " + brief(node));
        return "";
    }

    private boolean isObject(JsonNode node, String key) {
        if (!node.isObject()) {
            problems.add(key + ": expected an object, found " + brief(node));
        }
        return node.isObject();
    }

    private void refuseUnknown(JsonNode node, String prefix, Set<String> known) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                problems.add(prefix + name + ": unknown key, expected " + String.join(", ", new TreeSet<>(known)));
            }
        });
    }

    private static String brief(JsonNode node) {
        String text = node instanceof MissingNode ? "nothing" : node.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
