package io.hereabouts.perf.postgis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResolveRoundTest {

    private static final Question QUESTION = Question.of(ResolveCases.ALL.get(0), "zone/1");

    @Test
    void shouldCompareWhateverTheOrder() throws Exception {
        ResolveRound round = new ResolveRound(List.of(q -> List.of("a", "b"), q -> List.of("b", "a")));
        for (int i = 0; i < 3; i++) {
            round.ask(QUESTION);
        }

        assertThat(round.equalAnswers(1)).isEqualTo(3);
        assertThat(round.differences()).isEmpty();
        assertThat(round.entitiesAnAnswer()).isEqualTo(2.0);
        assertThat(round.millis(1)).isPositive();
    }

    @Test
    void shouldSayWhatDiffers() throws Exception {
        ResolveRound round =
                new ResolveRound(List.of(q -> List.of("a", "b"), q -> List.of("a", "b"), q -> List.of("a", "c")));
        round.ask(QUESTION);

        assertThat(round.equalAnswers(1)).isEqualTo(1);
        assertThat(round.equalAnswers(2)).isZero();
        assertThat(round.differences())
                .singleElement()
                .asString()
                .contains("detectors covered by a zone", "reference zone/1", "1 missing, 1 too many, such as b");
    }
}
