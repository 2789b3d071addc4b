package io.hereabouts.schemas.kafka;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Where in {@code publications} a publication is. All publications about one entity are in one partition of a generation,
 * so positions order them as routers route them. A record of {@code retained}, tombstones included, has the position as
 * headers {@code generation} and {@code offset}, 8 bytes big endian each: several edges write under one key, and what
 * Kafka took last need not be what was published last. Immutable.
 *
 * @param generation of {@code publications}
 * @param offset in the partition of the entity
 */
public record SourcePosition(long generation, long offset) implements Comparable<SourcePosition> {

    /** Before every publication: the position of a record that does not say where it comes from. */
    public static final SourcePosition UNKNOWN = new SourcePosition(0, -1);

    private static final String GENERATION = "generation";
    private static final String OFFSET = "offset";
    private static final Comparator<SourcePosition> ORDER =
            Comparator.comparingLong(SourcePosition::generation).thenComparingLong(SourcePosition::offset);

    /** As headers of a record. */
    public List<Header> headers() {
        return List.of(header(GENERATION, generation), header(OFFSET, offset));
    }

    /** What the headers of a record say; {@link #UNKNOWN} if one is missing or has not 8 bytes. */
    public static SourcePosition of(Headers headers) {
        byte[] generation = value(headers.lastHeader(GENERATION));
        byte[] offset = value(headers.lastHeader(OFFSET));
        return generation.length != Long.BYTES || offset.length != Long.BYTES
                ? UNKNOWN
                : new SourcePosition(
                        ByteBuffer.wrap(generation).getLong(),
                        ByteBuffer.wrap(offset).getLong());
    }

    private static byte[] value(@Nullable Header header) {
        byte[] value = header == null ? null : header.value();
        return value == null ? new byte[0] : value;
    }

    private static Header header(String name, long value) {
        return new RecordHeader(
                name, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    @Override
    public int compareTo(SourcePosition other) {
        return ORDER.compare(this, other);
    }
}
