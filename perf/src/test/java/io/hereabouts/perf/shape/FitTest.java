package io.hereabouts.perf.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FitTest {

    private static final double[] DECADES = {1, 10, 100, 1_000, 10_000};

    /** Three rounds a point, each off by up to this part. */
    private static List<Fit.Point> points(DoubleUnaryOperator curve, double noise, double[] xs, long seed) {
        Random random = new Random(seed);
        List<Fit.Point> points = new ArrayList<>();
        for (double x : xs) {
            for (int round = 0; round < 3; round++) {
                points.add(new Fit.Point(x, curve.applyAsDouble(x) * (1 + noise * (2 * random.nextDouble() - 1))));
            }
        }
        return points;
    }

    private static Shape best(DoubleUnaryOperator curve, double noise, long seed) {
        return Fit.best(points(curve, noise, DECADES, seed)).shape();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.05, 0.1})
    void shouldTellTheCurvesApartThroughNoise(double noise) {
        for (long seed = 1; seed <= 200; seed++) {
            assertThat(best(x -> 30, noise, seed)).isEqualTo(Shape.CONSTANT);
            assertThat(best(x -> 1 + 0.5 * Math.log(x), noise, seed)).isEqualTo(Shape.LOGARITHMIC);
            assertThat(best(x -> 5 + 0.01 * x, noise, seed)).isEqualTo(Shape.LINEAR);
        }
    }

    @Test
    void shouldFindTheCoefficients() {
        Fit line = Fit.best(points(x -> 5 + 0.01 * x, 0, DECADES, 1));
        Fit log = Fit.best(points(x -> 1 + 0.5 * Math.log(x), 0, DECADES, 1));

        assertThat(line.intercept()).isCloseTo(5, within(1e-6));
        assertThat(line.slope()).isCloseTo(0.01, within(1e-9));
        assertThat(log.slope()).isCloseTo(0.5, within(1e-9));
        assertThat(log.at(Math.E)).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void shouldNotTakeASlopeOfAFewPercentForGrowth() {
        assertThat(best(x -> 30 + 0.2 * Math.log(x), 0, 1)).isEqualTo(Shape.CONSTANT);
    }

    @Test
    void shouldCallConstantWhatFalls() {
        assertThat(best(x -> 30 - 2 * Math.log(x), 0.02, 1)).isEqualTo(Shape.CONSTANT);
    }

    @Test
    void shouldRefuseTooFewPoints() {
        assertThatThrownBy(() -> Fit.best(points(x -> x, 0, new double[] {1, 2}, 1)))
                .hasMessageContaining("6 points are too few");
    }
}
