package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Environment HERE = new Environment("a CPU", 2, "JDK 17", "Linux", 0.5, "now", "abc");

    private static Result result(Environment where, String records, long delivered, Map<String, Double> targets) {
        Result.Builder result = Result.of(new Scenario("route", 17, Map.of("records", records)));
        targets.forEach((of, value) -> {
            Measurement figure = new Measurement(of, "µs", List.of(value));
            result.figure(figure).target(Target.atMost(10, figure));
        });
        result.figure(new Measurement("rate", "records/s", List.of(1000.0 * delivered)));
        Result built = result.book("deliveries", 3, delivered).build();
        return new Result(
                built.scenario(), where, List.of(), built.figures(), built.books(), built.targets(), List.of());
    }

    private static Result result(double cpu) {
        return result(HERE, "3", 3, Map.of("CPU", cpu));
    }

    @Test
    void shouldFindNothingWorseWithinTheTolerance() {
        Comparison comparison = Comparison.of(result(2), result(2.6), 1.3);

        assertThat(comparison.worse()).isEmpty();
        assertThat(comparison.text())
                .contains("figure      before       after    ratio  unit")
                .contains("CPU           2.00        2.60     1.30  µs")
                .contains("nothing that has a target is more than 1.30 times what it was");
    }

    @Test
    void shouldFindWorseWhatGrewBeyondIt() {
        Comparison comparison = Comparison.of(result(2), result(2.61), 1.3);

        assertThat(comparison.worse()).containsExactly("CPU: 2.61 instead of 2.00 µs");
        assertThat(comparison.text()).contains("WORSE CPU: 2.61 instead of 2.00 µs");
        assertThat(Comparison.of(result(2), result(Double.NaN), 1.3).worse()).hasSize(1);
    }

    @Test
    void shouldFindWorseWhatIsGoneAndBooksThatDoNotBalance() {
        Result gone = result(HERE, "3", 4, Map.of("another", 1.0));

        assertThat(Comparison.of(result(2), gone, 1.3).worse())
                .containsExactly("the books do not balance", "CPU is gone");
        assertThat(Comparison.of(gone, result(2), 1.3).text()).contains("another        1.00           -        -  µs");
    }

    @Test
    void shouldNotJudgeWhatHasNoTarget() {
        Result slow = result(HERE, "3", 3, Map.of());

        assertThat(Comparison.of(slow, result(HERE, "3", 3, Map.of()), 1).worse())
                .isEmpty();
    }

    @Test
    void shouldSayWhereTheRunsDiffer() {
        Environment elsewhere = new Environment("b CPU", 8, "JDK 17", "Linux", 7, "now", "abc");

        assertThat(Comparison.of(result(2), result(2), 1.3).differences()).isEmpty();
        assertThat(Comparison.of(result(2), result(elsewhere, "4", 3, Map.of("CPU", 2.0)), 1.3)
                        .text()
                        .lines())
                .contains(
                        "DIFFERENT cpu: a CPU before, b CPU after",
                        "DIFFERENT cores: 2 before, 8 after",
                        "DIFFERENT load: 0.5 before, 7.0 after",
                        "DIFFERENT records: 3 before, 4 after");
    }

    @Test
    void shouldRefuseOtherScenarios() {
        Result other = Result.of(new Scenario("e2e", 1, Map.of())).build();

        assertThatThrownBy(() -> Comparison.of(result(2), other, 1.3)).hasMessageContaining("perf route");
        assertThatThrownBy(() -> Comparison.of(result(2), result(2), 0.5)).hasMessageContaining("--tolerance is 0.5");
    }
}
