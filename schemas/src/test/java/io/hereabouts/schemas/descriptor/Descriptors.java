package io.hereabouts.schemas.descriptor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Descriptors good and bad, for whoever reads descriptors. */
final class Descriptors {

    private Descriptors() {}

    /**
     * A descriptor that is refused.
     *
     * @param path JSON path that the refusal names
     * @param schema whether a JSON Schema can say so; where not, only the parser refuses
     */
    record Bad(String json, String path, String problem, boolean schema) {}

    /** {@code stages[0]} with these members, beside a reference and a category. */
    private static String stage(String members) {
        return "{\"stages\":[{\"references\":[\"z\"],\"categories\":[\"road\"]" + members + "}]}";
    }

    private static String where(String condition) {
        return stage(",\"where\":" + condition);
    }

    private static String reference(String reference) {
        return "{\"stages\":[{\"references\":[" + reference + "],\"categories\":[\"road\"]}]}";
    }

    static Stream<String> good() {
        return Stream.of(
                stage(""),
                "{\"stages\":[{\"references\":[\"zone/17\"],\"categories\":[\"road/major/motorway\"],"
                        + "\"where\":{\"or\":[{\"relation\":\"crosses\"},{\"relation\":\"touches\"}]}},"
                        + "{\"from\":[0],\"categories\":[\"parking\"],"
                        + "\"where\":{\"relation\":\"dwithin\",\"distance\":50}}],\"select\":[1]}",
                "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},"
                        + "{\"references\":[\"b\"],\"from\":[0],\"categories\":[\"x\"],\"match\":\"all\"},"
                        + "{\"from\":[1,0],\"categories\":[\"x\",\"y\"],\"match\":\"none\"}],\"select\":[2,0]}",
                stage(",\"match\":\"any\""),
                where("{\"relation\":\"ST_Within\"}"),
                where("{\"relation\":\"COVEREDBY\"}"),
                where("{\"relation\":\"st_disjoint\"}"),
                where("{\"relation\":\"near\",\"distance\":0}"),
                where("{\"relation\":\"dwithin\",\"distance\":5e1}"),
                where("{\"relation\":\"dwithin\",\"distance\":-0.0}"),
                where("{\"relation\":\"relate\",\"pattern\":\"T*F**F***\"}"),
                where("{\"relation\":\"relate\",\"pattern\":\"t*f**f012\"}"),
                where("{\"not\":{\"and\":[{\"relation\":\"touches\"},{\"or\":[{\"relation\":\"equals\"}]}]}}"),
                reference("\"a\",\"b\",\"a\""),
                reference("{\"wkt\":\"POLYGON ((0 0, 1 0, 1 1, 0 0))\"}"),
                reference("{\"wkt\":\"point z (1 2 3)\"}"),
                reference("{\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4,52.5]}}"),
                reference(
                        "{\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[13.4,52.5,30],[13.5,52.5,31]]}},\"a\""),
                "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"select\":[0.0]}",
                "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},{\"from\":[0e5],\"categories\":[\"x\"]}],\"select\":[1e0]}",
                "{\"stages\":[{\"references\":[\"ü😀\"],\"categories\":[\"straße/größe\"]}]}",
                reference("\"" + "a".repeat(256) + "\""));
    }

    static Stream<Bad> bad() {
        return Stream.of(
                new Bad("", "$", "expected an object", true),
                new Bad("null", "$", "expected an object, found null", true),
                new Bad("[]", "$", "expected an object, found []", true),
                new Bad("{", "$", "malformed JSON at line 1", false),
                new Bad("{} x", "$", "malformed JSON", false),
                new Bad("{\"stages\":[],\"stages\":[]}", "$", "malformed JSON", false),
                new Bad(where("{\"relation\":\"dwithin\",\"distance\":NaN}"), "$", "malformed JSON", false),
                new Bad("{}", "$.stages", "expected a list, found nothing", true),
                new Bad("{\"stages\":[]}", "$.stages", "at least 1", true),
                new Bad("{\"stages\":{}}", "$.stages", "expected a list", true),
                new Bad("{\"stages\":[1]}", "$.stages[0]", "expected an object, found 1", true),
                new Bad("{\"stages\":[{}]}", "$.stages[0]", "'references' or 'from', found neither", true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"name\":1}",
                        "$",
                        "unknown key 'name'",
                        true),
                new Bad(stage(",\"radius\":1"), "$.stages[0]", "unknown key 'radius'", true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"]}]}",
                        "$.stages[0].categories",
                        "expected a list, found nothing",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[]}]}",
                        "$.stages[0].categories",
                        "at least 1",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\",5]}]}",
                        "$.stages[0].categories[1]",
                        "expected a category, found 5",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"\"]}]}",
                        "$.stages[0].categories[0]",
                        "category is empty",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"road/\"]}]}",
                        "$.stages[0].categories[0]",
                        "empty level",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"road/#\"]}]}",
                        "$.stages[0].categories[0]",
                        "'#'",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"" + "c".repeat(257) + "\"]}]}",
                        "$.stages[0].categories[0]",
                        "257",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[],\"categories\":[\"x\"]}]}",
                        "$.stages[0].references",
                        "at least 1",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":\"a\",\"categories\":[\"x\"]}]}",
                        "$.stages[0].references",
                        "expected a list",
                        true),
                new Bad(reference("\"\""), "$.stages[0].references[0]", "entity id is empty", true),
                new Bad(reference("\"a\\u0000\""), "$.stages[0].references[0]", "control character at index 1", false),
                new Bad(reference("\"" + "ü".repeat(129) + "\""), "$.stages[0].references[0]", "258 bytes", false),
                new Bad(reference("\"" + "a".repeat(257) + "\""), "$.stages[0].references[0]", "257 bytes", true),
                new Bad(reference("\"a\",17"), "$.stages[0].references[1]", "expected an object, found 17", true),
                new Bad(reference("{}"), "$.stages[0].references[0]", "expected an entity id", true),
                new Bad(
                        reference("{\"wkt\":\"POINT (1 2)\",\"geometry\":{}}"),
                        "$.stages[0].references[0]",
                        "expected an entity id",
                        true),
                new Bad(reference("{\"id\":\"a\"}"), "$.stages[0].references[0]", "unknown key 'id'", true),
                new Bad(reference("{\"wkt\":5}"), "$.stages[0].references[0].wkt", "expected WKT, found 5", true),
                new Bad(reference("{\"wkt\":\"PINT (1 2)\"}"), "$.stages[0].references[0].wkt", "not WKT", false),
                new Bad(
                        reference("{\"wkt\":\"POINT (1 2) POINT (3 4)\"}"),
                        "$.stages[0].references[0].wkt",
                        "not WKT",
                        false),
                new Bad(
                        reference("{\"wkt\":\"POLYGON ((0 0, 1 0, 1 1))\"}"),
                        "$.stages[0].references[0].wkt",
                        "",
                        false),
                new Bad(reference("{\"wkt\":\"POINT EMPTY\"}"), "$.stages[0].references[0].wkt", "EMPTY", false),
                new Bad(
                        reference("{\"wkt\":\"POINT (200 2)\"}"),
                        "$.stages[0].references[0].wkt",
                        "200.0 2.0 is outside",
                        false),
                new Bad(reference("{\"wkt\":\"POINT (NaN 2)\"}"), "$.stages[0].references[0].wkt", "not finite", false),
                new Bad(
                        reference("{\"wkt\":\"POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))\"}"),
                        "$.stages[0].references[0].wkt",
                        "Self-intersection",
                        false),
                new Bad(
                        reference("{\"geometry\":[1,2]}"),
                        "$.stages[0].references[0].geometry",
                        "expected a GeoJSON geometry",
                        true),
                new Bad(
                        reference("{\"geometry\":{}}"),
                        "$.stages[0].references[0].geometry",
                        "not a GeoJSON geometry",
                        false),
                new Bad(
                        reference("{\"geometry\":{\"type\":\"Point\"}}"),
                        "$.stages[0].references[0].geometry",
                        "",
                        false),
                new Bad(
                        reference("{\"geometry\":{\"type\":\"Point\",\"coordinates\":[]}}"),
                        "$.stages[0].references[0].geometry",
                        "",
                        false),
                new Bad(
                        reference("{\"geometry\":{\"type\":\"Point\",\"coordinates\":[\"a\",1]}}"),
                        "$.stages[0].references[0].geometry",
                        "",
                        false),
                new Bad(
                        reference("{\"geometry\":{\"type\":\"Point\",\"coordinates\":{\"x\":1}}}"),
                        "$.stages[0].references[0].geometry",
                        "",
                        false),
                new Bad(
                        reference("{\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1]]]}}"),
                        "$.stages[0].references[0].geometry",
                        "",
                        false),
                new Bad(
                        "{\"stages\":[{\"from\":[0],\"categories\":[\"x\"]}]}",
                        "$.stages[0].from[0]",
                        "earlier stage, there is none, found 0",
                        false),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},{\"from\":[1],\"categories\":[\"x\"]}]}",
                        "$.stages[1].from[0]",
                        "earlier stage, 0 to 0, found 1",
                        false),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},{\"from\":[-1],\"categories\":[\"x\"]}]}",
                        "$.stages[1].from[0]",
                        "found -1",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},{\"from\":[0.5],\"categories\":[\"x\"]}]}",
                        "$.stages[1].from[0]",
                        "found 0.5",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]},{\"from\":[],\"categories\":[\"x\"]}]}",
                        "$.stages[1].from",
                        "at least 1",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"select\":[1]}",
                        "$.select[0]",
                        "0 to 0, found 1",
                        false),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"select\":[4294967296]}",
                        "$.select[0]",
                        "found 4294967296",
                        false),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"select\":[\"0\"]}",
                        "$.select[0]",
                        "found \"0\"",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"]}],\"select\":[]}",
                        "$.select",
                        "at least 1",
                        true),
                new Bad(
                        stage(",\"match\":\"some\""),
                        "$.stages[0].match",
                        "expected any, all or none, found \"some\"",
                        true),
                new Bad(where("{}"), "$.stages[0].where", "expected one of 'relation', 'and', 'or', 'not'", true),
                new Bad(where("\"crosses\""), "$.stages[0].where", "expected an object", true),
                new Bad(
                        where("{\"relation\":\"inside\"}"),
                        "$.stages[0].where.relation",
                        "unknown relation \"inside\"",
                        true),
                new Bad(where("{\"relation\":5}"), "$.stages[0].where.relation", "unknown relation 5", true),
                new Bad(
                        where("{\"relation\":\"crosses\",\"not\":{\"relation\":\"touches\"}}"),
                        "$.stages[0].where",
                        "exclude each other",
                        true),
                new Bad(where("{\"relation\":\"dwithin\"}"), "$.stages[0].where.distance", "missing", true),
                new Bad(
                        where("{\"relation\":\"crosses\",\"distance\":1}"),
                        "$.stages[0].where.distance",
                        "only dwithin",
                        true),
                new Bad(
                        where("{\"relation\":\"dwithin\",\"distance\":-1}"),
                        "$.stages[0].where.distance",
                        "found -1",
                        true),
                new Bad(
                        where("{\"relation\":\"dwithin\",\"distance\":\"5\"}"),
                        "$.stages[0].where.distance",
                        "found \"5\"",
                        true),
                new Bad(
                        where("{\"relation\":\"dwithin\",\"distance\":1e400}"),
                        "$.stages[0].where.distance",
                        "finite",
                        false),
                new Bad(where("{\"relation\":\"relate\"}"), "$.stages[0].where.pattern", "missing", true),
                new Bad(
                        where("{\"relation\":\"relate\",\"pattern\":\"T*F\"}"),
                        "$.stages[0].where.pattern",
                        "nine of",
                        true),
                new Bad(where("{\"relation\":\"relate\",\"pattern\":7}"), "$.stages[0].where.pattern", "nine of", true),
                new Bad(
                        where("{\"relation\":\"touches\",\"pattern\":\"T*F**F***\"}"),
                        "$.stages[0].where.pattern",
                        "only relate",
                        true),
                new Bad(where("{\"and\":[]}"), "$.stages[0].where.and", "at least 1", true),
                new Bad(where("{\"and\":{}}"), "$.stages[0].where.and", "expected a list", true),
                new Bad(
                        where("{\"and\":[{\"relation\":\"touches\"}],\"or\":[{\"relation\":\"touches\"}]}"),
                        "$.stages[0].where",
                        "expected one of",
                        true),
                new Bad(where("{\"not\":[]}"), "$.stages[0].where.not", "expected an object", true),
                new Bad(
                        where("{\"or\":[{\"relation\":\"touches\"},{\"not\":{\"relation\":\"x\"}}]}"),
                        "$.stages[0].where.or[1].not.relation",
                        "unknown relation",
                        true),
                new Bad(where("{\"distance\":5}"), "$.stages[0].where", "expected one of", true),
                new Bad(
                        where("{\"not\":".repeat(16) + "{\"relation\":\"touches\"}" + "}".repeat(16)),
                        "$.stages[0].where" + ".not".repeat(16),
                        "nested deeper than 16",
                        false),
                new Bad(
                        where("{\"not\":".repeat(5_000) + "{\"relation\":\"touches\"}" + "}".repeat(5_000)),
                        "$",
                        "",
                        false),
                new Bad("[".repeat(30_000), "$", "malformed JSON", false),
                new Bad(
                        "{\"stages\":[" + "{\"references\":[\"a\"],\"categories\":[\"x\"]},".repeat(8)
                                + "{\"references\":[\"a\"],\"categories\":[\"x\"]}]}",
                        "$.stages",
                        "has 9 elements, the limit is 8",
                        true),
                new Bad(
                        reference("{\"wkt\":\"MULTIPOINT ((13.28 -69.32, -52.71 20.28))\"}"),
                        "$.stages[0].references[0].wkt",
                        "not WKT",
                        false),
                new Bad(
                        reference("\"a\"" + ",\"a\"".repeat(1_000)),
                        "$.stages[0].references",
                        "has 1001 elements, the limit is 1000",
                        true),
                new Bad(
                        "{\"stages\":[{\"references\":[\"a\"],\"categories\":[\"x\"" + ",\"x\"".repeat(100) + "]}]}",
                        "$.stages[0].categories",
                        "has 101 elements, the limit is 100",
                        true),
                new Bad(reference("\"" + "a".repeat(60_000) + "\""), "$", "the limit is 32768", true));
    }

    /** A random descriptor that is valid except that, now and then, something in it is spoiled. */
    static String random(SplittableRandom random) {
        int count = random.nextInt(1, 4);
        List<String> stages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> members = new ArrayList<>();
            boolean from = i > 0 && random.nextBoolean();
            if (!from || random.nextBoolean()) {
                members.add("\"references\":" + list(random, 3, () -> reference(random)));
            }
            if (from) {
                int below = i;
                members.add("\"from\":" + list(random, 2, () -> String.valueOf(random.nextInt(below))));
            }
            members.add("\"categories\":"
                    + list(
                            random,
                            3,
                            () -> rarely(random)
                                    ? pick(random, "\"x//y\"", "17", "null")
                                    : pick(random, "\"road\"", "\"road/major\"", "\"zone/a\"")));
            if (random.nextBoolean()) {
                members.add("\"where\":" + condition(random, 4));
            }
            if (random.nextInt(4) == 0) {
                members.add(
                        "\"match\":" + (rarely(random) ? "\"most\"" : pick(random, "\"any\"", "\"all\"", "\"none\"")));
            }
            if (random.nextInt(40) == 0) {
                members.add("\"extra\":1");
            }
            stages.add("{" + String.join(",", shuffled(random, members)) + "}");
        }
        String select = random.nextBoolean()
                ? ",\"select\":" + list(random, 2, () -> String.valueOf(random.nextInt(count)))
                : "";
        return "{\"stages\":[" + String.join(", ", stages) + "]" + select + "}";
    }

    private static String reference(SplittableRandom random) {
        return rarely(random)
                ? pick(random, "\"\"", "7", "{}", "{\"wkt\":1}", "{\"wkt\":\"POINT (1 2)\",\"x\":1}", "null")
                : pick(
                        random,
                        "\"zone/1\"",
                        "\"zone/2\"",
                        "\"ü\"",
                        "{\"wkt\":\"POINT (1 2)\"}",
                        "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}");
    }

    private static String condition(SplittableRandom random, int depth) {
        if (rarely(random)) {
            return pick(
                    random,
                    "{}",
                    "[]",
                    "{\"relation\":\"dwithin\"}",
                    "{\"relation\":\"within\",\"distance\":4}",
                    "{\"relation\":\"beside\"}",
                    "{\"and\":[]}",
                    "{\"relation\":\"relate\",\"pattern\":\"xxxxxxxxx\"}",
                    "{\"relation\":\"dwithin\",\"distance\":-3}");
        }
        return switch (depth == 0 ? 0 : random.nextInt(5)) {
            case 1 -> "{\"not\":" + condition(random, depth - 1) + "}";
            case 2 -> "{\"and\":" + list(random, 3, () -> condition(random, depth - 1)) + "}";
            case 3 -> "{\"or\":" + list(random, 3, () -> condition(random, depth - 1)) + "}";
            default ->
                pick(
                        random,
                        "{\"relation\":\"intersects\"}",
                        "{\"relation\":\"ST_CoveredBy\"}",
                        "{\"relation\":\"Covers\"}",
                        "{\"distance\":12.50,\"relation\":\"near\"}",
                        "{\"relation\":\"relate\",\"pattern\":\"FF*FF****\"}",
                        "{\"relation\":\"overlaps\"}");
        };
    }

    private static boolean rarely(SplittableRandom random) {
        return random.nextInt(60) == 0;
    }

    private static String pick(SplittableRandom random, String... of) {
        return of[random.nextInt(of.length)];
    }

    private static String list(SplittableRandom random, int max, java.util.function.Supplier<String> element) {
        List<String> elements = new ArrayList<>();
        for (int n = random.nextInt(80) == 0 ? 0 : random.nextInt(1, max + 1); n > 0; n--) {
            elements.add(element.get());
        }
        return "[" + String.join(",", elements) + "]";
    }

    private static List<String> shuffled(SplittableRandom random, List<String> list) {
        List<String> copy = new ArrayList<>(list);
        for (int i = copy.size() - 1; i > 0; i--) {
            java.util.Collections.swap(copy, i, random.nextInt(i + 1));
        }
        return copy;
    }
}
