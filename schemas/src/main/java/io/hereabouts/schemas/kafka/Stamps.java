package io.hereabouts.schemas.kafka;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * The stamp of a tombstone in {@code filters}: owner epoch and version, which a value has as fields and a tombstone has
 * as headers of 8 bytes big endian, so that removal is ordered like replacement. No state.
 */
public final class Stamps {

    /** Header of the owner epoch. */
    public static final String EPOCH = "epoch";

    /** Header of the version. */
    public static final String VERSION = "version";

    private Stamps() {}

    /** The headers of a tombstone. */
    public static List<Header> headers(long epoch, long version) {
        return List.of(header(EPOCH, epoch), header(VERSION, version));
    }

    /** The owner epoch of a tombstone; empty if the header is missing or has not 8 bytes. */
    public static OptionalLong epoch(Headers headers) {
        return number(headers.lastHeader(EPOCH));
    }

    /** The version of a tombstone; empty if the header is missing or has not 8 bytes. */
    public static OptionalLong version(Headers headers) {
        return number(headers.lastHeader(VERSION));
    }

    private static Header header(String name, long value) {
        return new RecordHeader(
                name, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    private static OptionalLong number(@Nullable Header header) {
        byte[] value = header == null ? null : header.value();
        return value == null || value.length != Long.BYTES
                ? OptionalLong.empty()
                : OptionalLong.of(ByteBuffer.wrap(value).getLong());
    }
}
