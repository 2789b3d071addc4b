package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingTest {

    @Test
    void shouldHaveDefaultsForWhatIsNotNamed() throws Exception {
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{id}", "topic": "t/{id}", "time": {"columns": ["at"], "format": "epoch-millis"},
                 "payload": {"columns": ["v"]}}""");

        assertThat(mapping.csv().separator()).isEqualTo(',');
        assertThat(mapping.csv().quote()).isEqualTo('"');
        assertThat(mapping.csv().encoding()).isEqualTo(StandardCharsets.UTF_8);
        assertThat(mapping.qos()).isEqualTo(1);
        assertThat(mapping.csv().header()).isEmpty();
        assertThat(mapping.contentType()).isEqualTo("application/json");
        assertThat(mapping.payload()).isEqualTo(new PayloadForm.Json(List.of("v"), Set.of(), ""));
        assertThat(mapping.columns()).containsExactly("at", "id", "v");
        assertThat(mapping.fileColumns().columns()).isEmpty();
        assertThat(mapping.formatOf(Path.of("a.csv.gz"))).isEqualTo(LineFormat.CSV);
        assertThat(mapping.formatOf(Path.of("a"))).isEqualTo(LineFormat.CSV);
        assertThat(mapping.formatOf(Path.of("a.NDJSON"))).isEqualTo(LineFormat.NDJSON);
        assertThat(mapping.formatOf(Path.of("folder.csv/a.jsonl.gz"))).isEqualTo(LineFormat.NDJSON);
    }

    @Test
    void shouldTakeEveryKey() throws Exception {
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{a}/{b}", "topic": "t/{a}", "contentType": "text/plain", "qos": 0, "separator": "\\t",
                 "quote": "'", "encoding": "ISO-8859-1", "decimal": ",", "header": ["a", "b", "c", "d"],
                 "time": {"columns": ["c", "d"], "format": "dd.MM.yyyy HH:mm", "zone": "Europe/Berlin"},
                 "payload": {"template": "{a};{{x}}"}}""");

        assertThat(mapping.entity()).hasToString("{a}/{b}");
        assertThat(mapping.topic()).hasToString("t/{a}");
        assertThat(mapping.time().columns()).containsExactly("c", "d");
        assertThat(mapping.payload().columns()).containsExactly("a");
        assertThat(mapping.contentType()).isEqualTo("text/plain");
        assertThat(mapping.qos()).isZero();
        assertThat(mapping.csv().separator()).isEqualTo('\t');
        assertThat(mapping.csv().quote()).isEqualTo('\'');
        assertThat(mapping.csv().encoding()).isEqualTo(StandardCharsets.ISO_8859_1);
        assertThat(mapping.csv().header()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void shouldTakeColumnsOutOfTheNameOfTheFile() throws Exception {
        Mapping mapping = Mapping.parse(
                """
                {"format": "ndjson", "fileName": "(?<kind>[a-z]+)Data(?<id>\\\\d+)(-old)?\\\\.txt",
                 "entity": "{kind}/{id}", "topic": "t/{id}", "time": {"columns": ["at"], "format": "epoch-millis"},
                 "payload": {"columns": ["v"]}}""");

        assertThat(mapping.columns()).containsExactly("at", "v");
        assertThat(mapping.formatOf(Path.of("a.csv"))).isEqualTo(LineFormat.NDJSON);
        assertThat(mapping.fileColumns().of(Path.of("x/trafficData158324.txt.gz")))
                .isEqualTo(Map.of("kind", "traffic", "id", "158324"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mapping.fileColumns().of(Path.of("x/trafficData.txt")))
                .withMessageContaining("the name trafficData.txt does not match");
    }

    @Test
    void shouldReportEverythingThatIsWrongAtOnce() {
        InvalidMappingException e = refused(
                """
                {"entity": "{id", "topic": "t/#", "qos": 2, "separator": ";;", "encoding": "UTF-16", "decimal": "x",
                 "colour": 1, "header": ["id", "id"],
                 "time": {"columns": [], "format": "dd.MM", "zone": "Europe/Berln"},
                 "payload": {"columns": ["v"], "template": "x"}}""");

        assertThat(e.problems())
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactlyInAnyOrder(
                        "colour",
                        "entity",
                        "topic",
                        "time.columns",
                        "time.zone",
                        "time.format",
                        "decimal",
                        "payload",
                        "qos",
                        "separator",
                        "encoding",
                        "header");
        assertThat(e).hasMessageContaining("time.zone: 'Europe/Berln' is no time zone");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "not json|malformed JSON at line 1",
                "[]|mapping: expected an object, found []",
                "{}|entity: expected text, found nothing",
                "{\"entity\": \"\"}|entity: expected text, found \"\"",
                "{\"time\": 5}|time: expected an object, found 5",
                "{\"payload\": {}}|payload: expected either 'columns' or 'template'",
                "{\"time\": {\"columns\": [\"a\"], \"format\": \"epoch-millis\", \"zone\": \"UTC\"}}|time.zone: epoch-millis needs none",
                "{\"time\": {\"columns\": [\"a\"], \"format\": \"iso\", \"gap\": \"skip\"}}|time.gap: expected one of refuse shift, found \"skip\"",
                "{\"time\": {\"columns\": [\"a\"], \"format\": \"iso\"}}|time.zone: expected text, found nothing",
                "{\"time\": {\"columns\": [\"a\"], \"format\": \"QQQQQQQ\", \"zone\": \"UTC\"}}|time.format: ",
                "{\"time\": {\"columns\": [\"a\", \"a\"]}}|time.columns: names a column twice",
                "{\"entity\": \"a}b\"}|entity: '}' at index 1 closes nothing; write }} for a brace",
                "{\"entity\": \"{}\"}|entity: '{' at index 0 is not followed by a column name",
                "{\"separator\": \"\\n\"}|separator: expected one ASCII character",
                "{\"separator\": \"\\\"\"}|quote: is the separator too",
                "{\"encoding\": \"latin-nine\"}|encoding: 'latin-nine' is not known",
                "{\"payload\": {\"columns\": [\"t\"], \"time\": \"t\"}}|payload.time: 't' is one of the columns too",
                "{\"payload\": {\"template\": \"t\", \"time\": \"t\"}}|payload.time: goes with 'columns' only",
                "{\"qos\": 1, \"qos\": 1}|malformed JSON",
                "{\"time\": {\"columns\": [\"a\"], \"format\": \"iso\", \"overlap\": \"both\"}}|time.overlap: expected one of earlier later order, found \"both\"",
                "{\"format\": \"xml\"}|format: expected one of csv ndjson, found \"xml\"",
                "{\"format\": \"ndjson\", \"decimal\": \",\"}|decimal: goes with format csv only",
                "{\"fileName\": \"(\"}|fileName: '(' is not a regular expression: Unclosed group at index 1",
                "{\"fileName\": \"(a)\"}|fileName: '(a)' has no named group",
                "{\"fileName\": \"[(?<a>]\"}|fileName: '[(?<a>]' is not a regular expression",
                "{\"payload\": {\"columns\": [\"a\"], \"numbers\": [\"b\"]}}|payload.numbers: 'b' is not one of the columns",
                "{\"payload\": {\"columns\": [\"/a/x\", \"/b/x\"]}}|payload.columns: two pointers end in the same name",
                "{\"payload\": {\"template\": \"t\", \"numbers\": [\"t\"]}}|payload.numbers: goes with 'columns' only",
            })
    void shouldNameKeyAndValueOfWhatItRefuses(String json, String problem) {
        assertThat(refused(json).problems()).anySatisfy(line -> assertThat(line).startsWith(problem));
    }

    @Test
    void shouldRefuseAHeaderThatLacksColumns() {
        assertThat(refused(
                                """
                        {"entity": "{id}", "topic": "t", "time": {"columns": ["at"], "format": "epoch-millis"},
                         "payload": {"columns": ["v"]}, "header": ["id", "x"]}""")
                        .problems())
                .containsExactly("header: lacks at, v");
    }

    private static InvalidMappingException refused(String json) {
        InvalidMappingException e = catchThrowableOfType(InvalidMappingException.class, () -> Mapping.parse(json));
        assertThat(e).as(json).isNotNull();
        return e;
    }
}
