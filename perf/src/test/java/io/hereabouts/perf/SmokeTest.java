package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SmokeTest {

    private static final Smoke.Ratio RATIO = new Smoke.Ratio("a ÷ b", "a", "b", 10);

    /** Runs that come out so, one after the other: a's rounds, while b's are 2 and 1. */
    private static Smoke.Part part(Double[]... runs) {
        Deque<Double[]> next = new ArrayDeque<>(Arrays.asList(runs));
        return new Smoke.Part(
                "part",
                () -> Result.of(new Scenario("x", 1, Map.of()))
                        .figure(new Measurement("a", "µs", List.of(next.removeFirst())))
                        .figure(new Measurement("b", "µs", List.of(2.0, 1.0)))
                        .book("all", 3, next.isEmpty() ? 3 : 2)
                        .build(),
                List.of(RATIO));
    }

    private static Result before(double ratio) {
        Measurement figure = new Measurement("a ÷ b", "×", List.of(ratio));
        return Result.of(new Scenario("smoke", 1, Map.of()))
                .target(Target.atMost(10, figure))
                .build();
    }

    private static Result run(Result before, Smoke.Part part) throws Exception {
        return Smoke.run(List.of(part), before, 1.3, 3, line -> {});
    }

    @Test
    void shouldDivideTheBestRoundByTheBestRound() throws Exception {
        Result result = run(before(3), part(new Double[] {9.0, 3.0}));

        assertThat(result.targets()).containsExactly(new Target("a ÷ b", "×", 10, 3));
        assertThat(result.books()).containsExactly(new BookEntry("part, all", 3, 3));
        assertThat(Comparison.of(before(3), result, 1.3).worse()).isEmpty();
    }

    @Test
    void shouldRunAgainWhatIsWorseAndTakeTheBest() throws Exception {
        Result result = run(before(2), part(new Double[] {4.0}, new Double[] {2.5}));

        assertThat(result.targets()).containsExactly(new Target("a ÷ b", "×", 10, 2.5));
        assertThat(result.books()).extracting(BookEntry::of).containsExactly("part, all", "part 2, all");
    }

    @Test
    void shouldCallWorseWhatIsWorseEachTime() throws Exception {
        Result result = run(before(2), part(new Double[] {4.0}, new Double[] {3.5}, new Double[] {3.0}));

        assertThat(Comparison.of(before(2), result, 1.3).worse())
                .containsExactly("the books do not balance", "a ÷ b: 3.00 instead of 2.00 ×");
    }

    @Test
    void shouldNotForgetBooksOfAnEarlierAttempt() throws Exception {
        Result result = run(before(2), part(new Double[] {4.0}, new Double[] {2.5}));

        assertThat(result.balances()).isFalse();
    }

    @Test
    void shouldHaveNothingToCompareWithWhereNothingWasMeasured() throws Exception {
        Result none = Result.of(new Scenario("smoke", 1, Map.of())).build();

        assertThat(run(none, part(new Double[] {400.0})).targets()).hasSize(1);
    }

    @Test
    void shouldNameAFigureThatIsNotThere() {
        Smoke.Part part = new Smoke.Part("part", () -> before(1), List.of(new Smoke.Ratio("x", "nothing", "", 1)));

        assertThatThrownBy(() -> run(before(1), part)).hasMessageContaining("no figure 'nothing'");
    }
}
