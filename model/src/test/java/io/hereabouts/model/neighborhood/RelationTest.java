package io.hereabouts.model.neighborhood;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelationTest {

    @ParameterizedTest
    @EnumSource(Relation.class)
    void shouldBeFoundInAnyCaseAndWithPostgisPrefix(Relation relation) {
        String word = relation.word();
        assertThat(Relation.byWord(word)).contains(relation);
        assertThat(Relation.byWord(word.toUpperCase(Locale.ROOT))).contains(relation);
        assertThat(Relation.byWord("ST_" + word)).contains(relation);
        assertThat(Relation.byWord("st_" + word.toLowerCase(Locale.ROOT))).contains(relation);
        assertThat(Relation.words()).contains(word);
    }

    @Test
    void shouldTakeNearForDwithin() {
        assertThat(Relation.byWord("Near")).contains(Relation.DWITHIN);
        assertThat(Relation.byWord("ST_near")).contains(Relation.DWITHIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "st_", "ST_ST_within", "inside", "within ", "covered_by"})
    void shouldNotGuess(String word) {
        assertThat(Relation.byWord(word)).isEmpty();
    }
}
