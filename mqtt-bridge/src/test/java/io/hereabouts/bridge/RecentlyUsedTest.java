package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentlyUsedTest {

    private final RecentlyUsed<String, String> entries =
            new RecentlyUsed<>(20, (key, value) -> key.length() + value.length());

    @Test
    void shouldForgetWhatWasUsedLongestAgoWhenTheBoundIsPassed() {
        entries.put("a", "123456789");
        entries.put("b", "123456789");
        assertThat(entries.get("a")).isNotNull();

        entries.put("c", "1");

        assertThat(entries.get("a")).isNotNull();
        assertThat(entries.get("b")).isNull();
        assertThat(entries.get("c")).isEqualTo("1");
    }

    @Test
    void shouldCountAnEntryOnceHoweverOftenItIsPut() {
        for (int n = 0; n < 100; n++) {
            entries.put("a", "123456789");
        }
        entries.put("b", "123456789");

        assertThat(entries.get("a")).isNotNull();
        entries.put("a", "1");
        entries.put("c", "1234567");
        assertThat(entries.get("b")).isNotNull();
    }

    @Test
    void shouldKeepTheNewestEvenIfItIsLargerThanTheBound() {
        entries.put("a", "1");
        entries.put("b", "x".repeat(100));

        assertThat(entries.get("a")).isNull();
        assertThat(entries.get("b")).isNotNull();
    }
}
