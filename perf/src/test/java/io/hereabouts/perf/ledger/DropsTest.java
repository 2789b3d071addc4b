package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DropsTest {

    @Test
    void shouldExplainCopyByCopy() {
        Drops drops = Drops.explain(5, 0, List.of(), Map.of("offline", 5L));

        assertThat(drops.dropped()).containsExactly(Map.entry("offline", 5L));
        assertThat(drops.overcounted()).isZero();
    }

    @Test
    void shouldExplainNothingThatWasNotCounted() {
        assertThat(Drops.explain(5, 0, List.of(2L, 3L), Map.of("offline", 0L)).dropped())
                .isEmpty();
        assertThat(Drops.explain(5, 0, List.of(), Map.of("offline", 3L)).dropped())
                .containsExactly(Map.entry("offline", 3L));
    }

    /** Two of these three publications: from 3 to 7 copies. */
    @Test
    void shouldTakeAsManyPublicationsAsWereCounted() {
        List<Long> untold = List.of(4L, 1L, 2L);
        Map<String, Long> counted = Map.of(Drops.KAFKA, 1L, Drops.REFUSED, 1L);

        assertThat(Drops.explain(5, 0, untold, counted).dropped()).containsExactly(Map.entry("publication", 5L));
        assertThat(Drops.explain(9, 0, untold, counted).dropped())
                .as("the two largest do not explain nine")
                .containsExactly(Map.entry("publication", 6L));
    }

    @Test
    void shouldExplainPublicationsAndCopiesTogether() {
        assertThat(Drops.explain(7, 0, List.of(3L, 4L), Map.of(Drops.KAFKA, 1L, "offline", 4L))
                        .dropped())
                .containsExactly(Map.entry("offline", 4L), Map.entry("publication", 3L));
    }

    @Test
    void shouldFindDropsThatWereCountedAndDidNotHappen() {
        Drops drops = Drops.explain(2, 0, List.of(), Map.of("offline", 5L));

        assertThat(drops.overcounted()).isEqualTo(3);
        assertThat(drops.dropped()).as("no more than is missing").containsExactly(Map.entry("offline", 2L));
        assertThat(Drops.explain(2, 3, List.of(), Map.of("offline", 5L)).overcounted())
                .as("of publications in doubt some may have been dropped, too")
                .isZero();
    }
}
