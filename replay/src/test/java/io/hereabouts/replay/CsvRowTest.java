package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvRowTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "12|12",
                "-0.50|-0.50",
                "1.0|1.0",
                "' 7 '|7",
                "1e5|1E+5",
                "'48,5'|\"48,5\"",
                "007|\"007\"",
                "+1|\"+1\"",
                "NaN|\"NaN\"",
                "1e999999999999|\"1e999999999999\"",
                "' x '|\" x \"",
                "''|null",
                "' '|null",
            })
    void shouldMakeNumbersOfWhatReadsAsAJsonNumber(String value, String json) {
        assertThat(json(value, false)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'48,5'|48.5", "48.5|48.5", "'1,2,3'|\"1,2,3\"", "'-0,5'|-0.5"})
    void shouldReadDecimalCommas(String value, String json) {
        assertThat(json(value, true)).isEqualTo(json);
    }

    @Test
    void shouldTakeEndlessDigitsForText() {
        assertThat(json("1".repeat(1_000), false)).hasSize(1_000);
        assertThat(json("1".repeat(1_001), false)).hasSize(1_003).startsWith("\"");
    }

    private static String json(String value, boolean decimalComma) {
        return new CsvRow(Map.of("x", 0), List.of(value), decimalComma)
                .json("x")
                .toString();
    }
}
