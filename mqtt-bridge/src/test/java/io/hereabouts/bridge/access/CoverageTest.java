package io.hereabouts.bridge.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoverageTest {

    private static boolean covers(String granted, String asked) {
        return Coverage.covers(TopicFilter.parse(granted), TopicFilter.parse(asked));
    }

    @Test
    void shouldCoverWhatIsWithin() {
        assertThat(covers("a/b", "a/b")).isTrue();
        assertThat(covers("a/+", "a/b")).isTrue();
        assertThat(covers("a/#", "a/b/+/c")).isTrue();
        assertThat(covers("a/#", "a/#")).isTrue();
        assertThat(covers("a/#", "a")).isTrue();
        assertThat(covers("#", "+/b")).isTrue();
        assertThat(covers("+/+", "a/+")).isTrue();
    }

    @Test
    void shouldNotCoverWhatReachesFurther() {
        assertThat(covers("a/b", "a/+")).isFalse();
        assertThat(covers("a/+", "a/#")).isFalse();
        assertThat(covers("a/+/#", "a/#")).isFalse();
        assertThat(covers("+", "#")).isFalse();
        assertThat(covers("a/b/#", "a")).isFalse();
        assertThat(covers("a", "a/")).isFalse();
        assertThat(covers("#", "$SYS/x")).isFalse();
        assertThat(covers("+/x", "$SYS/x")).isFalse();
    }

    @Test
    void shouldAgreeWithWhatIsMatched() {
        Random random = new Random(7);
        List<String> names = new ArrayList<>();
        for (int levels = 1; levels <= 4; levels++) {
            int all = (int) Math.pow(3, levels);
            for (int n = 0; n < all; n++) {
                int number = n;
                int count = levels;
                names.add(IntStream.range(0, count)
                        .mapToObj(i -> List.of("a", "b", "").get(number / (int) Math.pow(3, i) % 3))
                        .collect(Collectors.joining("/")));
            }
        }
        names.removeIf(String::isEmpty);
        int covered = 0;
        for (int i = 0; i < 20_000; i++) {
            TopicFilter granted = TopicFilter.parse(filter(random));
            TopicFilter asked = TopicFilter.parse(filter(random));
            if (Coverage.covers(granted, asked)) {
                covered++;
                assertThat(names)
                        .as(granted + " covers " + asked)
                        .allMatch(name -> !asked.matches(name) || granted.matches(name));
            }
        }
        assertThat(covered).isGreaterThan(1_000);
    }

    private static String filter(Random random) {
        int levels = 1 + random.nextInt(3);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            parts.add(List.of("a", "b", "+", "").get(random.nextInt(4)));
        }
        if (random.nextInt(3) == 0) {
            parts.set(levels - 1, "#");
        }
        String filter = String.join("/", parts);
        return filter.isEmpty() ? "a" : filter;
    }
}
