package io.hereabouts.perf.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RouteCaseTest {

    @Test
    void shouldCoverFanOut0And1And10() {
        assertThat(RouteCase.ALL).extracting(RouteCase::fanOut).containsExactly(0, 1, 1, 10);
        assertThat(RouteCase.ALL).allMatch(c -> c.edgeIds().size() == c.edges());
    }

    @Test
    void shouldBoundTheDeliveriesOfARound() {
        for (RouteCase shape : RouteCase.ALL) {
            int records = shape.records(1_000);
            assertThat(records).isBetween(1, 1_000);
            assertThat(records * shape.fanOut()).isLessThanOrEqualTo(2_000);
        }
        assertThat(RouteCase.ALL.get(3).records(1_000)).isEqualTo(200);
    }

    @Test
    void shouldReportAllThatIsOutOfRange() {
        assertThatThrownBy(() -> new RouteParameters(17, 0, 0, 12, 128, 10, 9, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--records is 0, expected 100 to")
                .hasMessageContaining("--rounds is 0, expected 1 to 100")
                .hasMessageContaining("--neighborhoods is 9, expected 10 to");
    }
}
