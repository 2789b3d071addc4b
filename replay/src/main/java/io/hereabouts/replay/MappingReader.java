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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Mapping} from JSON and notes everything that is wrong with it. Use once. */
final class MappingReader {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Set<String> CSV_KEYS = Set.of("separator", "quote", "encoding", "decimal", "header");

    private static final Set<String> KEYS = Set.of(
            "format",
            "fileName",
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
            "header");

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
        refuseUnknown(root, "", KEYS);
        LineFormat format = format(root);
        FileColumns fileColumns = fileColumns(root);
        Template entity = template(root, "entity");
        Template topic = template(root, "topic");
        if (topic != null && topic.toString().matches(".*[+#].*")) {
            problems.add("topic: '" + topic + "' has a wildcard, expected a topic name");
        }
        EventTimes time = time(root.path("time"));
        PayloadForm payload = payload(root.path("payload"));
        String contentType = root.has("contentType")
                ? text(root, "contentType", "")
                : payload instanceof PayloadForm.Json ? "application/json" : null;
        int qos = Integer.parseInt(one(root, "qos", "1", Set.of("0", "1")));
        CsvFormat csv = csv(root);
        if (entity == null || topic == null || time == null || payload == null) {
            return null;
        }
        Mapping mapping = new Mapping(format, fileColumns, entity, topic, time, payload, contentType, qos, csv);
        if (!csv.header().isEmpty() && !csv.header().containsAll(mapping.columns())) {
            Set<String> missing = mapping.columns();
            csv.header().forEach(missing::remove);
            problems.add("header: lacks " + String.join(", ", missing));
        }
        return mapping;
    }

    private @Nullable LineFormat format(JsonNode root) {
        if (!root.has("format")) {
            return null;
        }
        boolean csv = one(root, "format", "csv", Set.of("csv", "ndjson")).equals("csv");
        if (!csv) {
            CSV_KEYS.stream()
                    .filter(root::has)
                    .sorted()
                    .forEach(key -> problems.add(key + ": goes with format csv only"));
        }
        return csv ? LineFormat.CSV : LineFormat.NDJSON;
    }

    private FileColumns fileColumns(JsonNode root) {
        String regex = text(root, "fileName", "");
        try {
            return regex.isEmpty() ? FileColumns.NONE : FileColumns.parse(regex);
        } catch (IllegalArgumentException e) {
            problems.add("fileName: " + e.getMessage());
            return FileColumns.NONE;
        }
    }

    private CsvFormat csv(JsonNode root) {
        char separator = character(root, "separator", ',');
        char quote = character(root, "quote", '"');
        if (separator == quote) {
            problems.add("quote: is the separator too");
        }
        boolean comma = one(root, "decimal", ".", Set.of(".", ",")).equals(",");
        Charset encoding = encoding(text(root, "encoding", "UTF-8"));
        List<String> header = root.has("header") ? names(root.path("header"), "header") : List.of();
        return new CsvFormat(separator, quote, encoding, comma, header);
    }

    private @Nullable EventTimes time(JsonNode node) {
        if (!isObject(node, "time")) {
            return null;
        }
        refuseUnknown(node, "time.", Set.of("columns", "format", "zone", "gap", "overlap"));
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
        Overlap overlap = Overlap.valueOf(one(node, "overlap", "order", Set.of("earlier", "later", "order"), "time.")
                .toUpperCase(Locale.ROOT));
        try {
            return EventTimes.of(columns, format, zone, shiftGaps, overlap);
        } catch (IllegalArgumentException e) {
            problems.add("time.format: " + e.getMessage());
            return null;
        }
    }

    private @Nullable PayloadForm payload(JsonNode node) {
        if (!isObject(node, "payload")) {
            return null;
        }
        refuseUnknown(node, "payload.", Set.of("columns", "numbers", "time", "template"));
        if (node.has("template") == node.has("columns")) {
            problems.add("payload: expected either 'columns' or 'template'");
            return null;
        }
        if (node.has("template")) {
            for (String key : List.of("time", "numbers")) {
                if (node.has(key)) {
                    problems.add("payload." + key + ": goes with 'columns' only");
                }
            }
            Template template = template(node, "template", "payload.");
            return template == null ? null : new PayloadForm.Text(template);
        }
        List<String> columns = names(node.path("columns"), "payload.columns");
        Set<String> numbers =
                node.has("numbers") ? new TreeSet<>(names(node.path("numbers"), "payload.numbers")) : Set.of();
        for (String column : numbers) {
            if (!columns.contains(column)) {
                problems.add("payload.numbers: '" + column + "' is not one of the columns");
            }
        }
        String timeKey = node.has("time") ? text(node, "time", null, "payload.") : "";
        List<String> keys = columns.stream().map(PayloadForm.Json::key).toList();
        if (keys.contains(timeKey)) {
            problems.add("payload.time: '" + timeKey + "' is one of the columns too");
        }
        if (new HashSet<>(keys).size() < new HashSet<>(columns).size()) {
            problems.add("payload.columns: two pointers end in the same name");
        }
        return new PayloadForm.Json(columns, numbers, timeKey);
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
