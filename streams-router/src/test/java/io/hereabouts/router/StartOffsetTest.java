package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StartOffsetTest {

    @Test
    void shouldBeginAtTheFirstRecordWhenNothingWasCommitted() {
        assertThat(StartOffset.decide(OptionalLong.empty(), 7, 20)).isEqualTo(new StartOffset(OptionalLong.of(7), 0));
    }

    @Test
    void shouldStayWhereTheGroupIs() {
        for (long at : new long[] {7, 10, 20}) {
            assertThat(StartOffset.decide(OptionalLong.of(at), 7, 20).move()).isEmpty();
        }
    }

    @Test
    void shouldCountWhatRetentionTook() {
        assertThat(StartOffset.decide(OptionalLong.of(3), 7, 20)).isEqualTo(new StartOffset(OptionalLong.of(7), 4));
    }

    @Test
    void shouldBeginAnewInATopicThatWasMadeAnew() {
        assertThat(StartOffset.decide(OptionalLong.of(21), 0, 20)).isEqualTo(new StartOffset(OptionalLong.of(0), 0));
    }
}
