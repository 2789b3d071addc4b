package io.hereabouts.router;

import java.nio.charset.StandardCharsets;
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
        headers.add("reason", utf8(reason));
        headers.add("detail", utf8(String.valueOf(detail)));
        headers.add("source-topic", utf8(source.topic()));
        headers.add("source-partition", utf8(String.valueOf(source.partition())));
        headers.add("source-offset", utf8(String.valueOf(source.offset())));
        return record.withHeaders(headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
