package io.hereabouts.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.schemas.settings.Settings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands one after the other, as a user gives them, against a running stack. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CommandsIT {

    private static final String WORLD =
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "id": "z1", "properties": {"kind": "zone"},
               "geometry": {"type": "Polygon", "coordinates": [[[13,52],[14,52],[14,53],[13,53],[13,52]]]}},
              {"type": "Feature", "id": "d1", "properties": {"kind": "detector"},
               "geometry": {"type": "Point", "coordinates": [13.5, 52.5]}},
              {"type": "Feature", "id": "d2", "properties": {"kind": "detector"},
               "geometry": {"type": "Point", "coordinates": [15.5, 52.5]}},
              {"type": "Feature", "id": "bad", "properties": {"kind": "zone"},
               "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1,1],[1,0],[0,1],[0,0]]]}}
            ]}
            """;
    private static final String DESCRIPTOR =
            """
            {"stages": [{"references": ["z1"],
                         "categories": ["detector"],
                         "where": {"relation": "within"}}]}
            """;

    private Path folder = Path.of("");
    private EmbeddedStack stack;

    /** What a command did. */
    private record Result(int code, String out, String err) {}

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        stack = EmbeddedStack.launch(
                Settings.load(
                        Optional.empty(),
                        Map.of("data", folder.resolve("data").toString(), "kafka.port", "0", "mqtt.port", "0"),
                        Map.of()),
                new SimpleMeterRegistry());
        Files.writeString(folder.resolve("world.geojson"), WORLD);
        Files.writeString(folder.resolve("near.json"), DESCRIPTOR);
    }

    @AfterAll
    void stop() {
        stack.close();
    }

    @Test
    @Order(10)
    void shouldCheckTopics() {
        assertThat(kafka("topics", "check").code()).isZero();
        Result other = kafka("topics", "check", "--set", "topics.partitions=5");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out()).contains("hereabouts.publications: has 12 partitions, expected 5");
        assertThat(kafka("topics", "init").out()).doesNotContain("created");
    }

    @Test
    @Order(11)
    void shouldGrow() {
        Result preview = kafka("topics", "grow", "--partitions", "13", "--dry-run");
        assertThat(preview.code()).as(preview.err()).isZero();
        assertThat(preview.out())
                .contains("now: generation 1 (12 partitions)", "edges that are waited for: edge-", "publications");

        assertUsage(kafka("topics", "grow"), "expected either --partitions or --abort");
        assertUsage(kafka("topics", "grow", "--partitions", "5"), "they can only become more, expected more than 12");
        assertUsage(kafka("topics", "grow", "--abort"), "nothing grows: there is only generation 1 (12 partitions)");

        Result grown = kafka("topics", "grow", "--partitions", "13");
        assertThat(grown.code()).as(grown.err()).isZero();
        assertThat(grown.out()).contains("publications and filters have 13 partitions: generation 2 (13 partitions)");
        assertThat(kafka("topics", "check").out()).contains("as they should be");
        assertThat(kafka("topics", "init").err()).doesNotContain("created");
        assertThat(kafka("topics", "grow", "--partitions", "13").code())
                .as("nothing left to do")
                .isZero();
    }

    private static void assertUsage(Result result, String why) {
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains(why);
    }

    @Test
    @Order(20)
    void shouldImportWhatIsGoodAndReportWhatIsNot() throws Exception {
        Result imported = kafka("world", "import", path("world.geojson"), "--category-property", "kind", "--json");

        assertThat(imported.code()).as(imported.err()).isZero();
        JsonNode summary = json(imported.out());
        assertThat(summary.path("entities").asInt()).isEqualTo(3);
        assertThat(summary.path("bad").asInt()).isEqualTo(1);
        assertThat(imported.err()).contains("Self-intersection");

        assertThat(json(kafka("world", "list", "--json").out()).path("detector").asInt())
                .isEqualTo(2);
        assertThat(kafka("world", "list", "--category", "zone").out()).contains("z1");
        assertThat(kafka("world", "import", path("none.geojson"), "--category", "a")
                        .code())
                .isEqualTo(2);
    }

    @Test
    @Order(21)
    void shouldDeleteWhatIsNoLongerInTheSource() throws Exception {
        Path full = poles("pole/", "1", "2", "3");
        Path less = poles("pole/", "2");
        assertThat(kafka("world", "import", full.toString(), "--category", "pole")
                        .code())
                .isZero();
        Result preview = kafka(
                "world",
                "import",
                less.toString(),
                "--category",
                "mast",
                "--id-prefix",
                "pole/",
                "--id",
                "n",
                "--delete-missing",
                "--dry-run",
                "--json");
        assertThat(preview.code()).as(preview.err()).isZero();
        assertThat(preview.err())
                .contains("2 entities of the world belong to this source and are not in it: pole/1, pole/3");
        assertThat(json(preview.out()).path("missing").asInt()).isEqualTo(2);
        assertThat(json(preview.out()).path("deleted").asInt()).isZero();
        assertThat(kafka("world", "list", "--category", "pole").out().lines()).hasSize(3);

        Result deleted = kafka(
                "world",
                "import",
                less.toString(),
                "--category",
                "mast",
                "--id-prefix",
                "pole/",
                "--id",
                "n",
                "--delete-missing",
                "--yes");
        assertThat(deleted.code()).as(deleted.err()).isZero();
        assertThat(deleted.out()).contains("2 of 2 missing entities deleted");
        assertThat(kafka("world", "list", "--category", "pole").out()).isEmpty();
        assertThat(kafka("world", "list", "--category", "mast").out()).contains("pole/2");
        assertThat(json(kafka("world", "list", "--json").out()).path("detector").asInt())
                .isEqualTo(2);

        // without a prefix the categories count
        assertThat(kafka(
                                "world",
                                "import",
                                poles("x", "9").toString(),
                                "--category",
                                "mast",
                                "--delete-missing",
                                "--yes")
                        .out())
                .contains("1 of 1 missing entities deleted");
    }

    @Test
    @Order(22)
    void shouldCheckCountAndExportTheWorld() throws Exception {
        Result valid = kafka("world", "validate", "--json");
        assertThat(valid.code()).as(valid.out() + valid.err()).isZero();
        JsonNode stats = json(kafka("world", "stats", "--json").out());
        assertThat(json(valid.out()).path("good").asLong())
                .isPositive()
                .isEqualTo(stats.path("entities").asLong());
        assertThat(stats.path("byCategory").path("detector").asInt()).isEqualTo(2);
        assertThat(stats.path("byGeometryType").path("Polygon").asInt()).isEqualTo(1);
        assertThat(kafka("world", "stats").out()).contains(" entities, ", " in west, south, east, north ");

        Path file = folder.resolve("export.geojson.gz");
        assertThat(kafka("world", "export", "-o", file.toString()).code()).isZero();
        String exported = kafka("world", "export", "--format", "geojson-seq").out();
        assertThat(kafka("world", "export", "--category", "detector").out())
                .containsSubsequence("\"id\":\"d1\"", "\"id\":\"d2\"")
                .doesNotContain("z1");
        Result again = kafka(
                "world", "import", file.toString(), "--category-property", "categories", "--delete-missing", "--yes");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("0 of 0 missing entities deleted");
        assertThat(kafka("world", "export", "--format", "geojson-seq").out())
                .isNotEmpty()
                .isEqualTo(exported);
    }

    private Path poles(String prefix, String... numbers) throws Exception {
        StringBuilder lines = new StringBuilder();
        for (String number : numbers) {
            lines.append("{\"type\": \"Feature\", \"id\": \"" + prefix + number + "\", \"properties\": {\"n\": "
                    + number + "}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [10, " + number + "]}}\n");
        }
        return Files.writeString(folder.resolve("poles" + numbers.length + prefix.length() + ".geojson"), lines);
    }

    @Test
    @Order(30)
    void shouldResolve() throws Exception {
        assertThat(kafka("resolve", "--dry-run", path("near.json")).out())
                .contains("stage 0: 1 entities, selected", "  d1");
        assertThat(json(kafka("resolve", path("near.json"), "--json").out())
                        .path("selected")
                        .toString())
                .isEqualTo("[\"d1\"]");
        JsonNode geoJson = json(kafka("resolve", path("near.json"), "--geojson").out());
        assertThat(geoJson.path("features").path(0).path("id").asText()).isEqualTo("d1");

        Files.writeString(folder.resolve("unknown.json"), DESCRIPTOR.replace("z1", "z9"));
        Result unknown = kafka("resolve", path("unknown.json"));
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("$.stages[0].references", "z9");
    }

    @Test
    @Order(3)
    void shouldReplayTheExampleOfTheReadme() throws Exception {
        Result replayed = kafka(
                "replay",
                "../docs/examples/city-readings.csv",
                "--mapping",
                "../docs/examples/city-readings.json",
                "--json");

        assertThat(replayed.code()).as(replayed.err()).isZero();
        assertThat(json(replayed.out()).path("acknowledged").asInt()).isEqualTo(48);
        assertThat(json(replayed.out()).path("bad").asInt()).isZero();
    }

    @Test
    @Order(3)
    void shouldSayAtOnceThatKafkaDoesNotAnswer() {
        for (String command : new String[] {"world list", "world generate", "replay"}) {
            List<String> args = new ArrayList<>(List.of(command.split(" ")));
            if (command.equals("replay")) {
                args.addAll(List.of(
                        "../docs/examples/city-readings.csv", "--mapping", "../docs/examples/city-readings.json"));
            }
            args.addAll(List.of("--kafka", "127.0.0.1:1"));

            Result away = run(args.toArray(String[]::new));

            assertThat(away.code()).as(command).isEqualTo(1);
            assertThat(away.err())
                    .as(command)
                    .contains("Kafka at 127.0.0.1:1 does not answer")
                    .contains("is --kafka right?");
        }
    }

    @Test
    @Order(40)
    void shouldSubscribeAndPublish() throws Exception {
        Running subscriber = subscriber("2");
        assertThat(mqtt("pub", "-t", "a/b", "-m", "outside", "-q", "1", "--entity", "d2")
                        .code())
                .isZero();
        assertThat(mqtt("pub", "-t", "a/b", "-m", "inside", "-q", "1", "--entity", "d1")
                        .code())
                .isZero();
        Path csv = Files.writeString(
                folder.resolve("readings.csv"),
                """
                id,time,speed
                d1,2024-03-01T10:00:00Z,57
                d1,yesterday,58
                d2,2024-03-01T09:00:00Z,12
                """);
        Files.writeString(
                folder.resolve("mapping.json"),
                """
                {"entity": "{id}", "topic": "a/{id}", "time": {"columns": ["time"], "format": "iso", "zone": "UTC"},
                 "payload": {"columns": ["speed"]}}
                """);
        Result replayed = kafka("replay", csv.toString(), "--mapping", path("mapping.json"), "--json");
        assertThat(replayed.code()).as(replayed.err()).isZero();
        JsonNode report = json(replayed.out());
        assertThat(report.path("acknowledged").asInt()).isEqualTo(2);
        assertThat(report.path("badLines").path("time").asInt()).isEqualTo(1);
        assertThat(report.path("firstEvent").asText()).isEqualTo("2024-03-01T09:00:00Z");
        assertThat(replayed.err()).contains(csv + ":3: time 'yesterday'", "--rejects");

        Result received = subscriber.result.get();
        assertThat(received.code()).isZero();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : received.out().lines().toList()) {
            lines.add(json(line));
        }
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).path("payload").asText()).isEqualTo("inside");
        assertThat(lines.get(0).path("neighborhoodIds").toString()).isEqualTo("[\"near\"]");
        assertThat(lines.get(1).path("payload").asText()).contains("57");
        assertThat(lines).allMatch(line -> line.path("entity").asText().equals("d1"));
    }

    @Test
    @Order(50)
    void shouldReplayThroughAnEdgeAndKeepBadLines() throws Exception {
        Path bad = folder.resolve("bad.csv");
        Running subscriber = subscriber("1");
        Result replayed = replay(
                "--mqtt", "127.0.0.1:" + stack.mqttPort(), "--rejects", bad.toString(), "--from", "2024-03-01T10:00");
        assertThat(replayed.code()).as(replayed.err()).isZero();
        assertThat(replayed.out()).contains("bad 1 {time=1}, outside 1, sent 1, acknowledged 1");
        assertThat(Files.readAllLines(bad)).hasSize(2).last().asString().endsWith(",\"d1,yesterday,58\"");
        assertThat(json(subscriber.result.get().out()).path("payload").asText()).isEqualTo("{\"speed\":57}");

        assertThat(replay("--mqtt", "127.0.0.1:1").code()).isEqualTo(1);
        assertThat(replay("--mqtt", "127.0.0.1:1").err()).contains("cannot connect to 127.0.0.1:1");
    }

    @Test
    @Order(50)
    void shouldRefuseAReplayThatCannotBeMeantSo() throws Exception {
        assertRefused("--from", "yesterday", "--from: 'yesterday' is no time");
        assertRefused("--to", "2024-02-30", "--to: '2024-02-30' is no time");
        assertRefused("--speed", "fast", "--speed: speed is 'fast'");
        assertRefused("--max-gap", "0s", "--max-gap: expected a duration above 0");
        assertRefused("--mqtt", "localhost", "--mqtt: 'localhost' is no address");
        assertRefused("--rejects", path("readings.csv"), "is also the file for rejects");
        assertRefused("--rejects", folder.resolve("none/r.csv").toString(), "r.csv");
        assertRefused(path("near.json"), "--json", "near.json: has no column id, speed, time");
        assertUselessBesideMqtt("--kafka", "127.0.0.1:1");
        assertUselessBesideMqtt("--set", "topics.prefix=x.");
        assertUselessBesideMqtt("--config", path("none.properties"));
    }

    private void assertUselessBesideMqtt(String option, String value) {
        Result both = replay("--mqtt", "127.0.0.1:1", option, value);
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("--mqtt and " + option + ": expected one of them");
    }

    private void assertRefused(String option, String value, String expected) {
        Result result = option.equals("--mqtt")
                ? replay(option, value)
                : replay(option, value, "--kafka", stack.kafkaServers());
        assertThat(result.code()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains("hereabouts: ").contains(expected);
    }

    private Result replay(String... more) {
        return run(new String[] {"replay", path("readings.csv"), "--mapping", path("mapping.json")}, more);
    }

    @Test
    @Order(60)
    void shouldDrawWhatTheDocumentationShows() throws Exception {
        Result imported = kafka("world", "import", "--manifest", "../docs/examples/town.world.json", "--json");
        assertThat(json(imported.out()).path("entities").asInt())
                .as(imported.err())
                .isEqualTo(21);
        Path picture = folder.resolve("picture.svg");
        for (String name : List.of("stops-next-door", "street-festival", "sensors-without-parking")) {
            Result drawn =
                    kafka("resolve", "../docs/examples/neighborhoods/" + name + ".json", "--svg", picture.toString());
            assertThat(drawn.code()).as(drawn.err()).isZero();
            assertThat(drawn.out()).contains("stage 0: ");
            assertThat(picture).hasSameTextualContentAs(Path.of("../docs/images/neighborhoods/" + name + ".svg"));
        }

        Result nowhere = kafka("resolve", path("near.json"), "--svg", path("none/picture.svg"));
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.out()).isEmpty();
        assertThat(nowhere.err().strip().lines())
                .singleElement()
                .asString()
                .startsWith("hereabouts: --svg ")
                .endsWith("none/picture.svg: cannot be written: no such folder");
    }

    @Test
    @Order(60)
    void shouldSayWhyASubscriptionIsRefused() {
        Result refused = mqtt("sub", "-t", "a/#", "--neighborhood", path("unknown.json"), "-W", "20");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("0x83", "$.stages[0].references", "z9");
    }

    /** A command in its own thread. */
    private record Running(StringWriter err, CompletableFuture<Result> result) {}

    private Running subscriber(String count) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] args = {
            "sub",
            "-p",
            String.valueOf(stack.mqttPort()),
            "-t",
            "a/#",
            "-q",
            "1",
            "--neighborhood",
            path("near.json"),
            "--neighborhood-id",
            "near",
            "-C",
            count,
            "-W",
            "120",
            "--json"
        };
        Running running = new Running(err, CompletableFuture.supplyAsync(() -> run(out, err, args)));
        await().until(() -> err.toString().contains("subscribed") || running.result.isDone());
        return running;
    }

    private Result kafka(String... args) {
        return run(args, "--kafka", stack.kafkaServers());
    }

    private Result mqtt(String... args) {
        return run(args, "-p", String.valueOf(stack.mqttPort()));
    }

    private static Result run(String[] args, String... more) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of(more));
        return run(new StringWriter(), new StringWriter(), all.toArray(String[]::new));
    }

    private static Result run(StringWriter out, StringWriter err, String[] args) {
        CommandLine command = Hereabouts.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        int code = command.execute(args);
        return new Result(code, out.toString(), err.toString());
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }
}
