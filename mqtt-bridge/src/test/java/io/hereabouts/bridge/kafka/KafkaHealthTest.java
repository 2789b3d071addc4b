package io.hereabouts.bridge.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class KafkaHealthTest {

    private final KafkaHealth health = new KafkaHealth();

    @Test
    void shouldBeDownFromAWriteThatWasNotAnsweredToOneThatSucceeded() {
        health.failed(new TimeoutException());
        assertThat(health.isDown()).isTrue();
        health.succeeded();
        assertThat(health.isDown()).isFalse();
        health.failed(new NotEnoughReplicasException());
        assertThat(health.isDown()).isTrue();
    }

    @Test
    void shouldNotBeDownForARecordThatKafkaRefusesOrAFullBuffer() {
        health.failed(new RecordTooLargeException());
        health.failed(new BufferExhaustedException("full"));
        assertThat(health.isDown()).isFalse();
    }
}
