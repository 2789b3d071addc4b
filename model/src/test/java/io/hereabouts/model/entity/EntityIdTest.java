package io.hereabouts.model.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityIdTest {

    @ParameterizedTest
    @ValueSource(strings = {"TE001", "zone/17", "way/123", " ", "a|b", "ü", "😀", "+", "#", "*"})
    void shouldTakeWhatUsersCallThings(String id) {
        assertThat(EntityId.of(id)).hasToString(id);
        assertThat(EntityId.of(id).bytes()).isEqualTo(id.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0", "a\nb", "\u0085", "\ud800", "a\udc00b", "\udc00\ud800"})
    void shouldRefuseWhatCannotTravel(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> EntityId.of(id)).withMessageContaining("entity id");
    }

    @Test
    void shouldCountTheLimitInBytes() {
        assertThat(EntityId.of("a".repeat(256)).bytes()).hasSize(256);
        assertThat(EntityId.of("😀".repeat(64)).bytes()).hasSize(256);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EntityId.of("😀".repeat(64) + "a"))
                .withMessage("entity id has 257 bytes, the limit is 256");
    }

    @Test
    void shouldHandOutBytesThatNobodySharesAndSortByText() {
        EntityId id = EntityId.of("abc");
        id.bytes()[0] = 'x';
        assertThat(id.bytes()).isEqualTo(new byte[] {'a', 'b', 'c'});
        assertThat(id).isLessThan(EntityId.of("abd")).isEqualTo(EntityId.of("abc"));
    }
}
