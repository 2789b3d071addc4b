package io.hereabouts.bridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeenDeliveriesTest {

    private final SeenDeliveries seen = new SeenDeliveries();

    @Test
    void shouldGoOnFromItsMarks() {
        seen.isNew(1, 0, 5);
        seen.isNew(1, 63, 1L << 40);
        seen.isNew(2, 0, 7);

        SeenDeliveries next = new SeenDeliveries();
        next.remember(seen.marks());

        assertThat(next.isNew(1, 0, 5)).isFalse();
        assertThat(next.isNew(1, 0, 6)).isTrue();
        assertThat(next.isNew(1, 63, 1L << 40)).isFalse();
        assertThat(next.isNew(2, 0, 7)).isFalse();
        assertThat(next.isNew(2, 1, 0)).isTrue();
    }

    @Test
    void shouldFitIntoTheMetadataOfAnOffsetOrBeLeftOut() {
        for (int partition = 0; partition < 256; partition++) {
            seen.isNew(3, partition, 2_000_000_000L);
        }
        assertThat(seen.marks()).isNotEmpty().hasSizeLessThan(4_096);
        for (int partition = 256; partition < 1_024; partition++) {
            seen.isNew(3, partition, 2_000_000_000L);
        }
        assertThat(seen.marks()).isEmpty();
        new SeenDeliveries().remember("");
    }

    @Test
    void shouldRefuseMarksThatItDidNotWrite() {
        assertThatThrownBy(() -> seen.remember("1.2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> seen.remember("1.2.!")).isInstanceOf(IllegalArgumentException.class);
    }
}
