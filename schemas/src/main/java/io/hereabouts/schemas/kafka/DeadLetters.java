package io.hereabouts.schemas.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Records of {@code dead-letters}: the one that failed as it came, with headers, UTF-8 text, that say why and where it
 * was. A record that was a dead letter before has each header twice; the last one counts. No state.
 */
public final class DeadLetters {

    /** Header: what kind of failure, one word. */
    public static final String REASON = "reason";

    /** Header: what exactly, for people. */
    public static final String DETAIL = "detail";

    /** Header: the Kafka topic of the failed record. */
    public static final String SOURCE_TOPIC = "source-topic";

    /** Header: its partition, decimal. */
    public static final String SOURCE_PARTITION = "source-partition";

    /** Header: its offset, decimal. */
    public static final String SOURCE_OFFSET = "source-offset";

    private DeadLetters() {}

    /** The headers that a dead letter has beyond those of the failed record. */
    public static List<Header> headers(
            String reason, @Nullable String detail, String sourceTopic, int sourcePartition, long sourceOffset) {
        return List.of(
                header(REASON, reason),
                header(DETAIL, String.valueOf(detail)),
                header(SOURCE_TOPIC, sourceTopic),
                header(SOURCE_PARTITION, String.valueOf(sourcePartition)),
                header(SOURCE_OFFSET, String.valueOf(sourceOffset)));
    }

    /** The failed record on its way to the one partition of {@code deadLetters}. */
    public static ProducerRecord<byte[], byte[]> record(
            String deadLetters, ConsumerRecord<byte[], byte[]> failed, String reason, @Nullable String detail) {
        Headers headers = new RecordHeaders(failed.headers());
        headers(reason, detail, failed.topic(), failed.partition(), failed.offset())
                .forEach(headers::add);
        return new ProducerRecord<>(deadLetters, 0, failed.key(), failed.value(), headers);
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
