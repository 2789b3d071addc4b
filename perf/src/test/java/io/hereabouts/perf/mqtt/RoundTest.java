package io.hereabouts.perf.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundTest {

    private final Round round = new Round(3, 2, 1, 4);

    private void receive(int subscriber, int sequence) {
        long now = System.nanoTime();
        round.received(subscriber, new Note(1, 3, sequence, now - 1_000_000), 0, now);
    }

    @Test
    void shouldOweEachMessageToThoseWhoWantIt() {
        round.published(2);
        round.published(2);
        round.answered(true);
        round.answered(false);
        receive(0, 0);
        receive(1, 0);
        receive(0, 1);

        assertThat(round.expected()).isEqualTo(4);
        assertThat(round.delivered()).isEqualTo(3);
        assertThat(round.acknowledged()).isEqualTo(1);
        assertThat(round.repeats()).isZero();
        assertThat(round.latencies().getTotalCount()).isEqualTo(3);
    }

    @Test
    void shouldOpenTheWindowOnceForEachCopy() {
        assertThat(round.window().tryAcquire(4)).isTrue();
        receive(0, 0);
        receive(0, 0);
        receive(1, 0);

        assertThat(round.window().availablePermits()).isEqualTo(2);
        assertThat(round.repeats()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForWhatHasCome() throws Exception {
        round.published(2);
        round.answered(true);
        receive(0, 0);
        receive(1, 0);

        round.await();

        assertThat(round.delivered()).isEqualTo(round.expected());
    }
}
