package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacingTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldKeepTheDistancesOfEventTimeDividedByTheSpeed() {
        Pacing real = new Pacing(Speed.parse("1"), 5_000, 100);
        assertThat(real.dueNanos(5_000)).isEqualTo(100);
        assertThat(real.dueNanos(6_500)).isEqualTo(100 + 3 * SECOND / 2);

        Pacing fast = new Pacing(Speed.parse("3600"), 0, 0);
        assertThat(fast.dueNanos(3_600_000)).isEqualTo(SECOND);
        Pacing slow = new Pacing(Speed.parse("0.5"), 0, 0);
        assertThat(slow.dueNanos(1_000)).isEqualTo(2 * SECOND);
    }

    @Test
    void shouldNotWaitForWhatIsLateNorAddUpWhatWasWaitedTooLong() {
        Pacing pacing = new Pacing(Speed.parse("1"), 0, 0);
        assertThat(pacing.waitNanos(1_000, 0)).isEqualTo(SECOND);
        assertThat(pacing.waitNanos(2_000, SECOND + 50)).isEqualTo(SECOND - 50);
        assertThat(pacing.waitNanos(2_000, 5 * SECOND)).isZero();
        assertThat(pacing.waitNanos(-1_000, 0)).isZero();
    }

    @Test
    void shouldSurviveACenturyAtSnailsPaceAndAClockNearItsEnd() {
        Pacing pacing = new Pacing(Speed.parse("0.0001"), 0, 0);
        assertThat(pacing.waitNanos(100L * 365 * 86_400_000, 0)).isEqualTo(Long.MAX_VALUE / 2);
        Pacing wrapping = new Pacing(Speed.parse("1"), 0, Long.MAX_VALUE - 10);
        assertThat(wrapping.waitNanos(1, Long.MAX_VALUE - 10)).isEqualTo(1_000_000);
    }

    @Test
    void shouldNeverWaitAtMaximumSpeed() {
        Pacing pacing = new Pacing(Speed.parse("max"), 0, 7);
        assertThat(pacing.waitNanos(Long.MAX_VALUE, 7)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "NaN", "Infinity", "fast", "1x"})
    void shouldRefuseOtherSpeeds(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Speed.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
