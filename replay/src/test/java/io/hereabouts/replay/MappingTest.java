package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
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

        assertThat(mapping.separator()).isEqualTo(',');
        assertThat(mapping.quote()).isEqualTo('"');
        assertThat(mapping.encoding()).isEqualTo(StandardCharsets.UTF_8);
        assertThat(mapping.qos()).isEqualTo(1);
        assertThat(mapping.header()).isEmpty();
        assertThat(mapping.contentType()).isEqualTo("application/json");
        assertThat(mapping.payload()).isEqualTo(new PayloadForm.Json(List.of("v"), "", false));
        assertThat(mapping.columns()).containsExactly("at", "id", "v");
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
        assertThat(mapping.separator()).isEqualTo('\t');
        assertThat(mapping.quote()).isEqualTo('\'');
        assertThat(mapping.encoding()).isEqualTo(StandardCharsets.ISO_8859_1);
        assertThat(mapping.header()).containsExactly("a", "b", "c", "d");
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
