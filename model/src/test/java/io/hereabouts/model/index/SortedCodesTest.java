package io.hereabouts.model.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SortedCodesTest {

    @Test
    void shouldGiveBackWhatItWasGiven() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            int range = 1 + random.nextInt(1 << (1 + random.nextInt(29)));
            int[] codes = random.ints(random.nextInt(300), 0, range)
                    .sorted()
                    .distinct()
                    .toArray();
            assertThat(SortedCodes.of(codes).toArray()).isEqualTo(codes);
        }
    }

    @Test
    void shouldGiveBackExtremes() {
        for (int[] codes : new int[][] {
            {},
            {0},
            {Integer.MAX_VALUE},
            {0, Integer.MAX_VALUE},
            {0, 1, 2, 3},
            {7, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}
        }) {
            assertThat(SortedCodes.of(codes).toArray()).isEqualTo(codes);
        }
    }

    @Test
    void shouldTakeTwoBitsMoreThanTheLogarithmOfTheMeanGap() {
        int[] codes =
                new Random(5).ints(10_000, 0, 10_000_000).sorted().distinct().toArray();
        assertThat(SortedCodes.of(codes).heapBytes() * 8.0 / codes.length).isLessThan(12);
        assertThat(SortedCodes.of(IntStream.range(0, 10_000).toArray()).heapBytes())
                .isLessThan(1_300);
    }
}
