package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadDeathsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private final Throwable cause = new StreamsException("broker went away");

    private final ThreadDeaths deaths = new ThreadDeaths();

    @Test
    void shouldReplaceAFewAndGiveUpWhenTheyRecur() {
        assertThat(deaths.shouldReplace(cause, -SECOND)).isTrue();
        assertThat(deaths.shouldReplace(cause, 0)).isTrue();
        assertThat(deaths.shouldReplace(cause, SECOND)).isTrue();
        assertThat(deaths.shouldReplace(cause, 2 * SECOND)).isFalse();
    }

    @Test
    void shouldForgetDeathsOfLongAgo() {
        for (int i = 0; i < 20; i++) {
            assertThat(deaths.shouldReplace(cause, i * 25L * SECOND)).isTrue();
        }
    }

    @Test
    void shouldNotReplaceWhereAnotherThreadWouldDieOfTheSame() {
        Throwable gap = new StreamsException(new OffsetOutOfRangeException(Map.of(new TopicPartition("t", 0), 1L)));
        assertThat(deaths.shouldReplace(gap, 0)).isFalse();
        assertThat(deaths.shouldReplace(new OutOfMemoryError(), 0)).isFalse();
    }
}
