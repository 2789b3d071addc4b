package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacingTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldKeepTheDistancesOfEventTimeDividedByTheSpeed() {
        Pacing real = pacing("1", 5_000, 100);
        assertThat(real.waitNanos(5_000, 100)).isZero();
        assertThat(real.waitNanos(6_500, 100)).isEqualTo(3 * SECOND / 2);

        assertThat(pacing("3600", 0, 0).waitNanos(3_600_000, 0)).isEqualTo(SECOND);
        assertThat(pacing("0.5", 0, 0).waitNanos(1_000, 0)).isEqualTo(2 * SECOND);
    }

    @Test
    void shouldNotWaitForWhatIsLateOrOutOfOrderNorAddUpWhatWasWaitedTooLong() {
        Pacing pacing = pacing("1", 0, 0);
        assertThat(pacing.waitNanos(1_000, 0)).isEqualTo(SECOND);
        assertThat(pacing.waitNanos(2_000, SECOND + 50)).isEqualTo(SECOND - 50);
        assertThat(pacing.waitNanos(500, 2 * SECOND)).isZero();
        assertThat(pacing.waitNanos(-1_000, 0)).isZero();
        assertThat(pacing.waitNanos(2_500, 5 * SECOND)).isZero();
        assertThat(pacing.waitNanos(6_000, 5 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void shouldCutLongPausesDownToTheLargestAndKeepShorterOnes() {
        Pacing pacing = new Pacing(Pace.MAX.withSpeed(Speed.parse("10")).withMaxGap(Duration.ofSeconds(60)), 0, 0);
        assertThat(pacing.waitNanos(60_000, 0)).isEqualTo(6 * SECOND);
        assertThat(pacing.pausesCut()).isZero();
        assertThat(pacing.waitNanos(60_000 + 86_400_000, 0)).isEqualTo(12 * SECOND);
        assertThat(pacing.waitNanos(60_000 + 86_400_000 + 1_000, 0)).isEqualTo(12 * SECOND + SECOND / 10);
        assertThat(pacing.waitNanos(60_000, 0)).as("out of order").isZero();
        assertThat(pacing.waitNanos(60_000 + 3 * 86_400_000L, 0)).isEqualTo(18 * SECOND + SECOND / 10);
        assertThat(pacing.pausesCut()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> Pace.MAX.withMaxGap(Duration.ZERO));
    }

    @Test
    void shouldSurviveACenturyAtSnailsPaceAndAClockNearItsEnd() {
        assertThat(pacing("0.0001", 0, 0).waitNanos(100L * 365 * 86_400_000, 0)).isEqualTo(Long.MAX_VALUE / 2);
        assertThat(pacing("1", 0, Long.MAX_VALUE - 10).waitNanos(1, Long.MAX_VALUE - 10))
                .isEqualTo(1_000_000);
    }

    @Test
    void shouldNeverWaitAtMaximumSpeed() {
        assertThat(pacing("max", 0, 7).waitNanos(Long.MAX_VALUE, 7)).isZero();
    }

    private static Pacing pacing(String speed, long firstEvent, long startNanos) {
        return new Pacing(Pace.MAX.withSpeed(Speed.parse(speed)), firstEvent, startNanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "NaN", "Infinity", "fast", "1x"})
    void shouldRefuseOtherSpeeds(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Speed.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
