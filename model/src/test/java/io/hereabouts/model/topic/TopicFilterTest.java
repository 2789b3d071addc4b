package io.hereabouts.model.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicFilterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "/",
                "#",
                "+",
                "+/+",
                "a/#",
                "/#",
                "a//b",
                "+/a/#",
                "$SYS/#",
                " ",
                "ü/😀",
                "a|b",
                "$share/g/a"
            })
    void shouldTakeValidFilters(String filter) {
        assertThat(TopicFilter.parse(filter).value()).isEqualTo(filter);
        assertThat(TopicFilter.parse(filter)).hasToString(filter);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|topic filter is empty",
                "a/#/b|'#' at index 2 before the last level",
                "#/|'#' at index 0 before the last level",
                "a#|'#' at index 1 that does not fill its level",
                "a/b+|'+' at index 3 that does not fill its level",
                "a/+b|'+' at index 2 that does not fill its level",
                "##|'#' at index 0 that does not fill its level",
            })
    void shouldRefuseInvalidFiltersNamingTheIndex(String filter, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicFilter.parse(filter))
                .withMessageContaining(problem);
    }

    @Test
    void shouldRefuseWhatIsNoUtf8String() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicFilter.parse("a\0b"))
                .withMessageContaining("U+0000 at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicFilter.parse("ab\ud800"))
                .withMessageContaining("surrogate at index 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicFilter.parse("\udc00\ud800"))
                .withMessageContaining("surrogate at index 0");
    }

    @Test
    void shouldCountTheLimitInBytes() {
        assertThat(TopicFilter.parse("a".repeat(65_535)).value()).hasSize(65_535);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TopicFilter.parse("a".repeat(65_536)))
                .withMessageContaining("65536 bytes");
        assertThat(TopicFilter.parse("ü".repeat(32_767)).value()).hasSize(32_767);
        assertThatIllegalArgumentException().isThrownBy(() -> TopicFilter.parse("ü".repeat(32_768)));
        assertThat(TopicFilter.parse("€".repeat(21_845)).value()).hasSize(21_845);
        assertThatIllegalArgumentException().isThrownBy(() -> TopicFilter.parse("€".repeat(21_846)));
        assertThat(TopicFilter.parse("😀".repeat(16_383)).value()).hasSize(32_766);
        assertThatIllegalArgumentException().isThrownBy(() -> TopicFilter.parse("😀".repeat(16_384)));
    }

    @ParameterizedTest
    @CsvSource({
        "a/#, a, true",
        "a/#, a/, true",
        "a/#, a/b/c, true",
        "a/#, ab, false",
        "a/+/#, a, false",
        "a/+/#, a/b, true",
        "+, a, true",
        "+, a/, false",
        "+/, a/, true",
        "a/+, a, false",
        "a/+, a/, true",
        "#, $SYS/x, false",
        "+/x, $SYS/x, false",
        "$SYS/#, $SYS/x, true",
        "$SYS/+, $SYS/x, true",
        "a/b, a/b, true",
        "a/b, a/B, false",
        "/+, /a, true",
        "/#, /, true",
        "+/+, /, true",
        "a/$b/+, a/$b/c, true",
        "a/+, a/$b, true",
    })
    void shouldMatchAsMqttSays(String filter, String name, boolean expected) {
        assertThat(TopicFilter.parse(filter).matches(TopicName.parse(name))).isEqualTo(expected);
    }

    @Test
    void shouldAgreeWithMatchingBySplitLevels() {
        SplittableRandom random = new SplittableRandom(2_026);
        int matches = 0;
        for (int i = 0; i < 100_000; i++) {
            String name = levels(random, false);
            String filter = levels(random, true);
            boolean expected = bySplitting(filter, name);
            assertThat(TopicFilter.parse(filter).matches(TopicName.parse(name)))
                    .as("%s ~ %s", filter, name)
                    .isEqualTo(expected);
            matches += expected ? 1 : 0;
        }
        assertThat(matches).as("both answers must occur").isBetween(10_000, 90_000);
    }

    private static String levels(SplittableRandom random, boolean wildcards) {
        String[] words = {"a", "b", "ab", "", "$x", "a"};
        int count = random.nextInt(1, 5);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                out.append('/');
            }
            int dice = random.nextInt(10);
            if (wildcards && dice < 3) {
                out.append('+');
            } else if (wildcards && i == count - 1 && dice < 6) {
                out.append('#');
            } else {
                out.append(words[random.nextInt(words.length)]);
            }
        }
        return out.length() == 0 ? "/" : out.toString();
    }

    private static boolean bySplitting(String filter, String name) {
        String[] wanted = filter.split("/", -1);
        String[] has = name.split("/", -1);
        if (has[0].startsWith("$") && (wanted[0].equals("+") || wanted[0].equals("#"))) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].equals("#")) {
                return true;
            }
            if (i == has.length || !(wanted[i].equals("+") || wanted[i].equals(has[i]))) {
                return false;
            }
        }
        return wanted.length == has.length;
    }
}
