package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** The headers are a wire contract: names and bytes are spelled out here. */
class RecordHeadersTest {

    @Test
    void shouldStampATombstoneWithEightBytesBigEndian() {
        Headers headers = new RecordHeaders();
        Stamps.headers(0x0102, Long.MAX_VALUE).forEach(headers::add);

        assertThat(headers.lastHeader("epoch").value()).containsExactly(0, 0, 0, 0, 0, 0, 1, 2);
        assertThat(headers.lastHeader("version").value()).containsExactly(0x7f, -1, -1, -1, -1, -1, -1, -1);
        assertThat(Stamps.epoch(headers)).hasValue(0x0102);
        assertThat(Stamps.version(headers)).hasValue(Long.MAX_VALUE);
    }

    @Test
    void shouldFindNoStampWhereThereIsNone() {
        assertThat(Stamps.epoch(new RecordHeaders())).isEmpty();
        assertThat(Stamps.epoch(new RecordHeaders().add("epoch", null))).isEmpty();
        assertThat(Stamps.version(new RecordHeaders().add("version", new byte[7])))
                .isEmpty();
    }

    @Test
    void shouldKeepADeadLetterAsItCame() {
        ConsumerRecord<byte[], byte[]> failed = new ConsumerRecord<>("source", 3, 17, new byte[] {1}, new byte[] {2});
        failed.headers().add("own", new byte[] {9});

        ProducerRecord<byte[], byte[]> dead = DeadLetters.record("dead", failed, "undecodable", null);

        assertThat(dead.topic()).isEqualTo("dead");
        assertThat(dead.key()).containsExactly(1);
        assertThat(dead.value()).containsExactly(2);
        assertThat(dead.headers().lastHeader("own").value()).containsExactly(9);
        assertThat(text(dead, "reason")).isEqualTo("undecodable");
        assertThat(text(dead, "detail")).isEqualTo("null");
        assertThat(text(dead, "source-topic")).isEqualTo("source");
        assertThat(text(dead, "source-partition")).isEqualTo("3");
        assertThat(text(dead, "source-offset")).isEqualTo("17");
        assertThat(failed.headers()).as("the failed record is not changed").hasSize(1);
    }

    private static String text(ProducerRecord<byte[], byte[]> record, String header) {
        return new String(record.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
    }
}
