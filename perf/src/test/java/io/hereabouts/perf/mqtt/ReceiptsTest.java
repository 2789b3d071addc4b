package io.hereabouts.perf.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ReceiptsTest {

    private static final long MILLI = 1_000_000;

    private final Histogram all = new Histogram(3);
    private final Receipts receipts = new Receipts(2, all);

    @Test
    void shouldCountAMessageOnce() {
        assertThat(receipts.received(0, 0, 0, MILLI)).isTrue();
        assertThat(receipts.received(0, 0, 5, 9 * MILLI)).isFalse();

        assertThat(receipts.distinct()).isEqualTo(1);
        assertThat(receipts.repeats()).isEqualTo(1);
        assertThat(receipts.disordered()).isZero();
    }

    @Test
    void shouldCountDisorderOfOneEntityOnly() {
        receipts.received(2, 0, 0, MILLI);
        receipts.received(1, 1, 0, MILLI);
        assertThat(receipts.disordered()).isZero();

        receipts.received(0, 0, 0, MILLI);
        assertThat(receipts.disordered()).isEqualTo(1);
    }

    @Test
    void shouldGivePercentilesInMicroseconds() {
        for (int n = 0; n < 100; n++) {
            receipts.received(n, 0, n, (n + 1) * MILLI);
        }

        assertThat(all.getTotalCount()).isEqualTo(100);
        assertThat(all.getValueAtPercentile(50)).isBetween(49_950L, 50_050L);
        assertThat(all.getValueAtPercentile(99)).isBetween(98_900L, 99_100L);
        assertThat(all.getMaxValue()).isBetween(99_900L, 100_100L);
        assertThat(receipts.latestNanos()).isEqualTo(99);
    }
}
