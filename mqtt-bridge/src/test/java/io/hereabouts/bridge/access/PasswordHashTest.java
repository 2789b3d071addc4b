package io.hereabouts.bridge.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Made by other programs: OpenBSD's vectors of jBCrypt, the reference implementation of Argon2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "abc | $2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
                "abc | $2y$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
                "password | $argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "password | $argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc"
            })
    void shouldReadWhatOthersMade(String password, String hash) {
        assertThat(PasswordHash.parse(hash).matches(utf8(password))).isTrue();
        assertThat(PasswordHash.parse(hash).matches(utf8(password + "x"))).isFalse();
    }

    @Test
    void shouldMakeHashesThatFit() {
        String hash = PasswordHash.of("pässword");
        assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$").isNotEqualTo(PasswordHash.of("pässword"));
        PasswordHash parsed = PasswordHash.parse(hash);
        assertThat(parsed.matches(utf8("pässword"))).isTrue();
        assertThat(parsed.matches("pässword".getBytes(StandardCharsets.ISO_8859_1)))
                .isFalse();
        assertThat(parsed.matches(new byte[0])).isFalse();
        assertThat(parsed).doesNotHaveToString(hash);
        assertThatThrownBy(() -> PasswordHash.of("")).hasMessageContaining("empty");
    }

    @Test
    void shouldNotTakeTheBeginningOfALongPasswordForTheWhole() {
        String hash = com.password4j.Password.hash("a".repeat(72))
                .with(com.password4j.BcryptFunction.getInstance(4))
                .getResult();
        assertThat(PasswordHash.parse(hash).matches(utf8("a".repeat(72)))).isTrue();
        assertThat(PasswordHash.parse(hash).matches(utf8("a".repeat(73)))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "",
                "$2b$31$abcdefghijklmnopqrstuuK6pKDEVXtpbGdvTb1ZBlQM1VSOqGsvy",
                "$2b$04$short",
                "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=99,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
                "$argon2id$v=19$m=7,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="
            })
    void shouldRefuseOthersWithoutRepeatingThem(String hash) {
        assertThatThrownBy(() -> PasswordHash.parse(hash))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(hash.isEmpty()
                                || !String.valueOf(e.getMessage()).contains(hash))
                        .isTrue());
    }
}
