package io.hereabouts.router;

import io.hereabouts.schemas.kafka.DeadLetters;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** A record that cannot be routed, on its way to {@code dead-letters}: as it came, and headers that say why. No state. */
final class DeadLetter {

    static final String UNDECODABLE = "undecodable";
    static final String MISROUTED = "misrouted";

    private DeadLetter() {}

    static Record<byte[], byte[]> of(
            Record<byte[], byte[]> record, RecordMetadata source, String reason, @Nullable String detail) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        DeadLetters.headers(reason, detail, source.topic(), source.partition(), source.offset())
                .forEach(headers::add);
        return record.withHeaders(headers);
    }
}
