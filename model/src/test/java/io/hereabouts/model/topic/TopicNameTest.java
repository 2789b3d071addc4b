package io.hereabouts.model.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TopicNameTest {

    @Test
    void shouldTakeNamesAndKnowReservedOnes() {
        assertThat(TopicName.parse("a/b").isReserved()).isFalse();
        assertThat(TopicName.parse("a/$b").isReserved()).isFalse();
        assertThat(TopicName.parse("$SYS/a").isReserved()).isTrue();
        assertThat(TopicName.parse("/")).hasToString("/");
    }

    @Test
    void shouldRefuseWildcardsNamingTheIndex() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicName.parse("a/+"))
                .withMessage("topic name has wildcard '+' at index 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicName.parse("a#"))
                .withMessage("topic name has wildcard '#' at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicName.parse(""))
                .withMessage("topic name is empty");
        assertThatIllegalArgumentException().isThrownBy(() -> TopicName.parse("a\0"));
    }
}
