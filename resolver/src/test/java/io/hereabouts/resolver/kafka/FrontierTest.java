package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.resolver.filters.Input;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FrontierTest {

    @Test
    void shouldStopAtTheLowestUnfinishedInput() {
        Frontier frontier = new Frontier();
        frontier.begin(0, 10);
        frontier.begin(1, 5);
        for (long offset = 10; offset < 14; offset++) {
            frontier.started(new Input(0, offset));
        }

        frontier.finished(new Input(0, 10));
        frontier.finished(new Input(0, 12));
        assertThat(frontier.positions()).isEqualTo(Map.of(0, 11L, 1, 5L));
        assertThat(frontier.unfinished()).isEqualTo(2);

        frontier.finished(new Input(0, 13));
        frontier.finished(new Input(0, 11));
        frontier.finished(new Input(0, 11));
        assertThat(frontier.positions()).isEqualTo(Map.of(0, 14L, 1, 5L));
        assertThat(frontier.unfinished()).isZero();
    }
}
