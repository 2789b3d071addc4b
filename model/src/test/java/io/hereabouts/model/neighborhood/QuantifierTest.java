package io.hereabouts.model.neighborhood;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuantifierTest {

    @Test
    void shouldBeFoundByItsWordOnly() {
        for (Quantifier quantifier : Quantifier.values()) {
            assertThat(Quantifier.byWord(quantifier.word())).contains(quantifier);
        }
        assertThat(Quantifier.byWord("ANY")).isEmpty();
        assertThat(Quantifier.byWord("")).isEmpty();
    }
}
