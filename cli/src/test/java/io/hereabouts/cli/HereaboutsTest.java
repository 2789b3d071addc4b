package io.hereabouts.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HereaboutsTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = Hereabouts.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|a command is missing",
                "nonsense|nonsense",
                "sub|--topic",
                "sub -t a/#/b|'#' at index 2",
                "sub -t a -q 3|-q is 3, expected 0, 1 or 2",
                "sub -t a --neighborhood no-such-file|--neighborhood no-such-file: cannot be read",
                "sub -t a --for soon|'soon' is not a duration",
                "pub -t a/+ -m x|'+' at index 2",
                "pub -t a|-m=TEXT",
                "pub -t a -m x -p 99999|-p is 99999, expected 1 to 65535",
                "pub -t a -m x -k 70000|-k is 70000, expected 0 to 65535",
                "pub -t a -m x --user-property y|--user-property y: expected NAME=VALUE",
                "up --set router.threads=0|router.threads is 0",
                "world list --set world.postgis.url=x|jdbc:postgresql",
                "resolve - --set neighborhood.max-stages=0|0",
                "replay --mapping m.json|FILE",
                "replay a.csv|--mapping",
                "replay a.csv --mapping no-such-file|--mapping no-such-file: cannot be read",
                "world import|expected files, --manifest or --sql, one of them",
                "world import no-such-file|expected one of --category, --category-property, --osm and --osm-mapping",
                "world import x --osm --category a|expected one of --category, --category-property, --osm and",
                "world import x --osm-mapping no-such-file|--osm-mapping no-such-file: cannot be read",
                "world import x --category a --lon x|--lon and --lat belong together",
                "world import x --category a --lon x --lat y --wkt z|--wkt and --lon with --lat: expected one of them",
                "world import --sql SELECT|--sql and --from-url belong together",
                "world import x --sql SELECT --from-url y|expected files, --manifest or --sql, one of them",
                "world import --sql SELECT --from-url mysql://x|--from-url is 'mysql://x', expected jdbc:postgresql://",
                "world import --sql ; --from-url jdbc:postgresql://x/y|--sql: the query is empty",
                "world import x --category a --delete-missing|--delete-missing needs --yes where nobody can be asked",
                "world export --format shape|--format is 'shape', expected geojson or geojson-seq",
                "world export --category /|--category: ",
                "world validate x --manifest y|expected files, --manifest or --sql, one of them",
                "world validate no-such-file|no such file",
                "demo --rate 0|--rate is 0",
                "up --set http.port=70000|http.port is 70000, expected 0 to 65535",
                "router --set router.threads=0|router.threads is 0",
                "edge --set mqtt.port=-1|mqtt.port is '-1'",
                "resolver --set nonsense=1|nonsense",
                "explain --client c|--entity",
                "explain --client c --entity e --topic a/#|topic",
                "explain --client c --entity e --edge-http nowhere|--edge-http is 'nowhere', expected HOST:PORT",
                "doctor -p 99999|-p is 99999, expected 1 to 65535",
                "topics|a command is missing",
                "topics check --set topics.partitions=0|topics.partitions is 0",
                "topics check --set topics.partitions=many --set mqtt.prot=1|topics.partitions is 'many': ",
                "topics check --config no-such-file|no-such-file: cannot be read",
                "perf|a command is missing",
                "perf route --records 1 --rounds 0|--records is 1, expected 100 to 100000000; --rounds is 0",
                "perf e2e --qos 2|--qos is 2, expected 0 to 1",
                "perf e2e --kafka 127.0.0.1:1|--kafka and --mqtt belong together",
                "perf e2e --plain nowhere|'nowhere' is no address such as localhost:1883",
                "perf subscribe --entities 0|--entities is 0, expected 1 to 1000",
                "perf resolve --entities 999,10000 --queries 0|--queries is 0, expected 1 to 10000; --entities is 999,",
                "perf resolve --entities many|--entities",
                "perf resolve --postgis mysql://h/d?password=x|--postgis is 'mysql://h/d', expected jdbc:postgresql://",
                "perf resolve --postgis jdbc:postgresql://h|--postgis is 'jdbc:postgresql://h', expected jdbc:postgresql://",
                "perf resolve --data no-such-folder|--data no-such-folder: no folder",
                "perf mapping --entities 0 --neighborhoods 0|--entities is 0, expected 1 to 100000; --neighborhoods is 0",
                "perf mapping --postgis jdbc:postgresql://h|--postgis is 'jdbc:postgresql://h', expected jdbc:postgresql://",
                "perf index --pairs 1 --fan-outs 0|--pairs is 1, expected 1000 to 100000000; --fan-outs is 0",
                "perf paper nothing|experiment 'nothing', expected one of rate, subscriptions, size, add-size",
                "perf paper --rounds 1 --most 1|--rounds is 1, expected 2 to 100; --most is 1, expected 100 to 1000000",
                "perf real --data no-such-folder|--data no-such-folder: no folder",
                "perf smoke --against no-such-file|no-such-file: cannot be read",
                "perf compare no-such-file|Missing required parameter: 'AFTER'",
                "perf compare no-such-file no-such-file|no-such-file: cannot be read",
            })
    void shouldAnswerWrongUseWithOneLineAndExitCode2(String args, String expected) {
        int code = run(args.isEmpty() ? new String[0] : args.split(" ", -1));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString().strip().lines())
                .singleElement()
                .asString()
                .startsWith("hereabouts: ")
                .contains(expected);
    }

    @Test
    void shouldExitWith1WhereNobodyListens() {
        assertThat(run("pub", "-p", "1", "-t", "a", "-m", "x")).isEqualTo(1);
        assertThat(err.toString().strip().lines()).singleElement().asString().contains("cannot connect to 127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resolve", "mapping"})
    void shouldSayThatThereIsNoDatabaseServerWithoutShowingAPassword(String command) {
        assertThat(run("perf", command, "--postgis", "jdbc:postgresql://127.0.0.1:1/d?user=u&password=secret"))
                .isEqualTo(1);
        assertThat(err.toString().lines()).last().asString().contains("cannot make a database on 127.0.0.1:1");
        assertThat(err.toString()).doesNotContain("secret");
    }

    @Test
    void shouldNotWaitForABrokerThatIsNotThere() {
        assertThat(run("sub", "-p", "1", "-t", "a")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot connect to 127.0.0.1:1");
    }

    @Test
    void shouldReadWithoutWritingAndWithoutKafka(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("world.geojson"),
                """
                {"type": "FeatureCollection", "features": [
                  {"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [1, 2]}},
                  {"type": "Feature", "id": "b", "geometry": {"type": "Point", "coordinates": [1, 92]}}]}
                """);
        assertThat(run("world", "import", "--dry-run", file.toString(), "--category", "k/l", "--kafka", "127.0.0.1:1"))
                .isZero();
        assertThat(out.toString().lines().map(String::strip))
                .containsExactly("1  k/l", "1 entities would be imported, 1 features refused, 0 left out");
        assertThat(err.toString())
                .contains("world.geojson, feature 2 (line 3, column 3), b: coordinate 1.0 92.0 is outside");

        assertThat(run("world", "validate", file.toString())).isEqualTo(1);
        assertThat(out.toString().lines()).last().isEqualTo("1 good, 1 bad");
        assertThat(run("world", "validate", file.toString(), "--id", "none")).isEqualTo(1);
        assertThat(out.toString().lines()).last().isEqualTo("0 good, 2 bad");
    }

    @Test
    void shouldTellWhatWasRepaired(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("bow.csv"),
                "id;shape\nbow;POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))\nline;LINESTRING (1 1, 1 1)\n");
        String[] dryRun = {
            "world",
            "import",
            "--dry-run",
            "--id",
            "id",
            "--wkt",
            "shape",
            "--separator",
            ";",
            "--category",
            "k",
            file.toString()
        };
        assertThat(run(dryRun)).isEqualTo(1);
        String[] repairing = Arrays.copyOf(dryRun, dryRun.length + 1);
        repairing[dryRun.length] = "--repair";
        assertThat(run(repairing)).isZero();
        assertThat(out.toString())
                .contains("1 entities would be imported (1 repaired), 1 features refused, 0 left out");
        assertThat(err.toString())
                .contains(
                        "bow.csv, line 2, bow: Self-intersection at 0.5 0.5",
                        "bow.csv, line 2, bow: repaired: Self-intersection at 0.5 0.5",
                        "line: ");
    }

    @Test
    void shouldShowHelpAndVersion() {
        assertThat(run("--help")).isZero();
        assertThat(run("sub", "--help")).isZero();
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("Usage: hereabouts", "--neighborhood", "hereabouts development build");
    }

    @Test
    void shouldHashAPasswordThatIsNotAnArgument() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream("secret\nmore\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(run("password")).isZero();
            assertThat(out.toString()).startsWith("$argon2id$v=19$").doesNotContain("secret");
            System.setIn(new ByteArrayInputStream(new byte[0]));
            assertThat(run("password")).isEqualTo(2);
            assertThat(err.toString()).contains("the password is empty");
            assertThat(run("password", "secret")).isEqualTo(2);
        } finally {
            System.setIn(before);
        }
    }
}
