package io.hereabouts.schemas.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class UserPropertyNamesTest {

    @Test
    void shouldHaveTheNamesOfTheSpecification() {
        assertThat(UserPropertyNames.DEFAULT)
                .isEqualTo(new UserPropertyNames("neighborhood", "neighborhood-id", "entity", "publication-id"));
    }

    @Test
    void shouldRefuseNamesThatAreBlankOrTheSame() {
        assertThatIllegalArgumentException().isThrownBy(() -> new UserPropertyNames("a", "b", " ", "d"));
        assertThatIllegalArgumentException().isThrownBy(() -> new UserPropertyNames("a", "b", "c", "a"));
    }
}
