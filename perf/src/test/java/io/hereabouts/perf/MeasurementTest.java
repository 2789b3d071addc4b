package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {

    private static Measurement of(Double... rounds) {
        return new Measurement("x", "µs", List.of(rounds));
    }

    @Test
    void shouldTakeTheMiddleOfAnOddNumberOfRounds() {
        Measurement figure = of(9.0, 1.0, 2.0);

        assertThat(figure.median()).isEqualTo(2.0);
        assertThat(figure.min()).isEqualTo(1.0);
        assertThat(figure.max()).isEqualTo(9.0);
    }

    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
        assertThat(of(10.0, 1.0, 2.0, 4.0).median()).isEqualTo(3.0);
        assertThat(of(5.0).median()).isEqualTo(5.0);
    }

    @Test
    void shouldDivideRoundByRound() {
        // a slow machine in the second round slows both
        Measurement ratio = Measurement.ratio("r", of(2.0, 30.0, 5.0), of(1.0, 10.0, 2.0));

        assertThat(ratio.rounds()).containsExactly(2.0, 3.0, 2.5);
        assertThat(ratio.median()).isCloseTo(2.5, within(1e-9));
        assertThat(ratio.unit()).isEqualTo("×");
    }

    @Test
    void shouldRefuseWhatCannotBeCompared() {
        assertThatThrownBy(() -> Measurement.ratio("r", of(1.0, 2.0), of(1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 rounds against 1");
        assertThatThrownBy(() -> new Measurement("x", "ms", List.of())).hasMessageContaining("no rounds");
    }
}
