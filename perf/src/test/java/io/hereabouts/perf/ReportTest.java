package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Measurement CPU = new Measurement("router CPU", "µs", List.of(1.5, 1.25, 1.75));

    private static Result result(long delivered, double limit) {
        return new Result(
                new Scenario("route", 17, Map.of("records", "3")),
                new Environment("some CPU", 2, "JDK 17", "Linux", 0.5, "2026-11-30T00:00:00Z", "abc"),
                List.of("a note"),
                List.of(CPU),
                List.of(new BookEntry("deliveries", 3, delivered)),
                List.of(Target.atMost(limit, CPU)),
                List.of());
    }

    @Test
    void shouldShowFiguresBooksAndTargets() {
        String text = Report.text(result(3, 1.5));

        assertThat(text.lines().toList())
                .containsSubsequence(
                        "perf route, seed 17: records 3",
                        "some CPU, 2 cores, JDK 17, Linux, load 0.50, 2026-11-30T00:00:00Z, commit abc",
                        "a note",
                        "figure          median         min         max  unit",
                        "router CPU        1.50        1.25        1.75  µs",
                        "book          expected      actual",
                        "deliveries           3           3",
                        "the books balance",
                        "target router CPU ≤ 1.50 µs: 1.50, met");
    }

    @Test
    void shouldSayWhatIsWrong() {
        Result wrong = result(4, 1.49);

        assertThat(wrong.balances()).isFalse();
        assertThat(wrong.meetsTargets()).isFalse();
        assertThat(Report.text(wrong))
                .contains("4  DIFFERS", "the books do NOT balance", "target router CPU ≤ 1.49 µs: 1.50, MISSED");
    }

    @Test
    void shouldWriteRoundsAndVerdictsAsJson() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Report.json(result(3, 1.5)));

        assertThat(json.path("scenario").path("name").asText()).isEqualTo("route");
        assertThat(json.path("scenario").path("parameters").path("records").asText())
                .isEqualTo("3");
        assertThat(json.path("environment").path("cores").asInt()).isEqualTo(2);
        assertThat(json.path("figures").path(0).path("median").asDouble()).isEqualTo(1.5);
        assertThat(json.path("figures").path(0).path("rounds")).hasSize(3);
        assertThat(json.path("books").path(0).path("actual").asLong()).isEqualTo(3);
        assertThat(json.path("balances").asBoolean()).isTrue();
        assertThat(json.path("targets").path(0).path("met").asBoolean()).isTrue();
    }

    @Test
    void shouldReadWhatItWrote() {
        assertThat(Report.parse(Report.json(result(4, 1.49)))).isEqualTo(result(4, 1.49));
        assertThatThrownBy(() -> Report.parse("{}")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Report.parse("no JSON")).hasMessageContaining("no result of a measurement");
    }

    @Test
    void shouldNotCallATargetMetThatWasNotMeasured() {
        assertThat(new Target("x", "ms", 1, Double.NaN).met()).isFalse();
    }

    @Test
    void shouldNameWhereItRuns() {
        Environment here = Environment.here();

        assertThat(here.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(here.jdk()).contains(System.getProperty("java.runtime.version"));
        assertThat(here.commit()).matches("unknown|[0-9a-f]{7,40}\\+?");
    }
}
