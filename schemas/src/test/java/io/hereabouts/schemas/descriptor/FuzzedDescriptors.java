package io.hereabouts.schemas.descriptor;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Texts that are descriptors, nearly so or not at all, from a seed: by a grammar that is careless with values, and by
 * bytes changed, removed, repeated and spliced. For one thread.
 */
final class FuzzedDescriptors {

    private static final List<String> TOKENS = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u0000",
            "\\ud800",
            "null",
            "true",
            "-",
            "1e400",
            "-0.0",
            "NaN",
            "\"where\":",
            "\"not\":",
            "\"and\":[",
            "\"wkt\":",
            "\"geometry\":",
            "POINT",
            "EMPTY",
            "(",
            ")",
            "\n",
            "\0",
            "\"references\":[\"a\"]",
            "999999999999999999999999",
            "é",
            "🚲",
            "Z",
            "/");

    private final SplittableRandom random;
    private final List<String> known = Stream.concat(
                    Descriptors.good(), Descriptors.bad().map(Descriptors.Bad::json))
            .filter(text -> text.length() < 4_000)
            .toList();

    FuzzedDescriptors(long seed) {
        this.random = new SplittableRandom(seed);
    }

    String next() {
        return switch (random.nextInt(8)) {
            case 0 -> Descriptors.random(random);
            case 1, 2, 3 -> descriptor();
            case 4 -> mutated(Descriptors.random(random));
            case 5 -> mutated(oneOf(known));
            default -> mutated(descriptor());
        };
    }

    private String descriptor() {
        int stages = rarely() ? random.nextInt(12) : 1 + random.nextInt(3);
        StringBuilder out = new StringBuilder("{\"stages\":[");
        for (int i = 0; i < stages; i++) {
            out.append(i == 0 ? "" : ",").append(stage(i));
        }
        out.append(']');
        if (random.nextInt(3) == 0) {
            out.append(",\"select\":").append(list(2, () -> index(stages)));
        }
        return out.append('}').toString();
    }

    private String stage(int index) {
        String references = "\"references\":" + list(large(300), this::reference);
        String from = index > 0 || rarely() ? ",\"from\":" + list(3, () -> index(index)) : "";
        String categories = ",\"categories\":" + list(large(90), () -> quoted(word()));
        String where = random.nextBoolean() ? ",\"where\":" + condition(random.nextInt(rarely() ? 20 : 4)) : "";
        String match = random.nextInt(4) == 0 ? ",\"match\":" + quoted(oneOf(List.of("any", "all", "none"))) : "";
        return "{" + references + from + categories + where + match + "}";
    }

    private String word() {
        return oneOf(
                rarely()
                        ? List.of("\\ud800", "a//b", "", "\\u0007", "x".repeat(257), "é".repeat(200))
                        : List.of("road", "road/major", "zone/17", "Straße", "a b", "🚲", "\\ud83d\\ude00", "?"));
    }

    private String reference() {
        return switch (random.nextInt(4)) {
            case 0 -> "{\"wkt\":" + quoted(nested(wkt(), random.nextInt(rarely() ? 1_600 : 3))) + "}";
            case 1 -> "{\"geometry\":" + geoJson(random.nextInt(rarely() ? 30 : 3)) + "}";
            default -> quoted(word());
        };
    }

    private static String nested(String wkt, int depth) {
        return "GEOMETRYCOLLECTION (".repeat(depth) + wkt + ")".repeat(depth);
    }

    private String wkt() {
        return switch (random.nextInt(rarely() ? 7 : 6)) {
            case 0 -> "POINT (" + position(" ") + ")";
            case 1 -> "LINESTRING " + positions();
            case 2 -> "POLYGON (" + ring() + (random.nextBoolean() ? "" : ", " + ring()) + ")";
            case 3 -> "MULTIPOINT " + positions();
            case 4 -> "MULTILINESTRING (" + positions() + ", " + positions() + ")";
            case 5 -> "MULTIPOLYGON ((" + ring() + "), (" + ring() + "))";
            default ->
                oneOf(List.of(
                        "POINT EMPTY",
                        "point z (1 2 3)",
                        "POINT ZM (1 2 3 4)",
                        "LINEARRING (0 0, 1 1, 1 0, 0 0)",
                        "SRID=4326;POINT (1 2)",
                        "CIRCULARSTRING (0 0, 1 1, 2 0)",
                        "MULTICURVE ((0 0, 1 1))",
                        "TIN EMPTY",
                        "POINT M (1 2 3)",
                        "POLYGON ((0 0))",
                        "POINT (1 2) POINT (1 2)",
                        "MULTIPOINT (1 2, (3 4))"));
        };
    }

    private String positions() {
        return list(large(1_000) + 2, () -> position(" ")).replace('[', '(').replace(']', ')');
    }

    private String ring() {
        int x = random.nextInt(-90, 90);
        int y = random.nextInt(-80, 80);
        return rarely()
                ? positions()
                : "(" + x + " " + y + ", " + (x + 2) + " " + y + ", " + (x + 2) + " " + (y + 2) + ", " + x + " " + y
                        + ")";
    }

    private String geoJson(int depth) {
        String position = "[" + position(",") + "]";
        return switch (depth > 0 ? 5 : random.nextInt(rarely() ? 5 : 3)) {
            case 0 -> "{\"type\":\"Point\",\"coordinates\":" + position + "}";
            case 1 ->
                "{\"type\":\"LineString\",\"coordinates\":" + list(large(900) + 2, () -> "[" + position(",") + "]")
                        + "}";
            case 2 -> "{\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]],\"type\":\"Polygon\"}";
            case 3 ->
                "{\"type\":" + oneOf(List.of("\"Polygon\"", "\"MultiPoint\"", "\"Circle\"", "1", "null"))
                        + ",\"coordinates\":"
                        + oneOf(List.of(position, "[]", "[[]]", "null", "\"x\"", "[[1,2],[null]]", "{}", "[1]")) + "}";
            case 4 ->
                oneOf(
                        List.of(
                                "{}",
                                "null",
                                "[]",
                                "{\"type\":\"Point\"}",
                                "{\"type\":\"GeometryCollection\"}",
                                "{\"type\":\"Feature\",\"geometry\":null}",
                                "{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:31468\"}}}"));
            default -> "{\"type\":\"GeometryCollection\",\"geometries\":[" + geoJson(depth - 1) + "]}";
        };
    }

    private String position(String separator) {
        return number() + separator + number() + (rarely() ? separator + number() : "");
    }

    private String number() {
        return rarely()
                ? oneOf(List.of(
                        "181",
                        "1e400",
                        "-1e-400",
                        "-0",
                        "1e300",
                        "5e-324",
                        "0.1e-9",
                        "NaN",
                        "Inf",
                        "1".repeat(120),
                        "0." + "3".repeat(90),
                        "x",
                        "null"))
                : String.valueOf(random.nextInt(-9000, 9000) / 100.0);
    }

    private String condition(int depth) {
        if (depth > 0) {
            return switch (random.nextInt(3)) {
                case 0 -> "{\"not\":" + condition(depth - 1) + "}";
                case 1 -> "{\"and\":" + list(2, () -> condition(depth - 1)) + "}";
                default -> "{\"or\":" + list(large(40), () -> condition(0)) + "}";
            };
        }
        String relation = quoted(oneOf(List.of(
                "equals",
                "disjoint",
                "ST_Intersects",
                "touches",
                "CROSSES",
                "within",
                "contains",
                "overlaps",
                "covers",
                "coveredby",
                "st_",
                "beside")));
        return switch (random.nextInt(4)) {
            case 0 -> "{\"relation\":\"dwithin\",\"distance\":" + distance() + "}";
            case 1 -> "{\"relation\":\"relate\",\"pattern\":" + quoted(pattern()) + "}";
            default -> "{\"relation\":" + relation + "}";
        };
    }

    private String distance() {
        return switch (random.nextInt(20)) {
            case 0 -> oneOf(List.of("1e300", "5e-324", "1e21", "0", "-0.0", "1e-7", "12345678901234567890"));
            case 1 -> number();
            default -> String.valueOf(random.nextInt(9_000) / 10.0);
        };
    }

    private String pattern() {
        return random.ints(rarely() ? random.nextInt(20) : 9, 0, 7)
                .mapToObj(i -> "TF*012t".substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private String index(int below) {
        return rarely() || below == 0
                ? oneOf(List.of("-1", "0", "0.0", "1e0", "1e99", "4294967296", "0.5", "\"0\"", "null"))
                : String.valueOf(random.nextInt(below));
    }

    private String mutated(String text) {
        Charset charset = rarely() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
        String changed = text;
        for (int n = 1 + random.nextInt(6); n > 0; n--) {
            byte[] bytes = changed.getBytes(charset);
            int at = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, at + random.nextInt(rarely() ? 400 : 8));
            String before = new String(bytes, 0, at, charset);
            String cut = new String(bytes, at, to - at, charset);
            String after = new String(bytes, to, bytes.length - to, charset);
            changed = switch (random.nextInt(5)) {
                case 0 -> before + after;
                case 1 -> before + cut + cut + after;
                case 2 -> before + oneOf(TOKENS) + cut + after;
                case 3 -> before + new String(new byte[] {(byte) random.nextInt(256)}, charset) + after;
                default -> rarely() ? before + oneOf(known) + after : before + oneOf(TOKENS) + after;
            };
        }
        return changed;
    }

    private String list(int most, Supplier<String> element) {
        int size = rarely() ? 0 : 1 + random.nextInt(most);
        return Stream.generate(element).limit(size).collect(Collectors.joining(",", "[", "]"));
    }

    /** A few, or now and then many. */
    private int large(int many) {
        return random.nextInt(400) == 0 ? many : 2;
    }

    private boolean rarely() {
        return random.nextInt(100) == 0;
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
