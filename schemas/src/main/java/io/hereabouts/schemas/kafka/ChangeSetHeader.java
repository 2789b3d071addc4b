package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * To which change set of the world a record of the Kafka topic {@code entities} belongs; a header, for tombstones have no
 * value. Immutable.
 *
 * @param version of the world that the change set makes, at least 1
 * @param records of the change set, in all partitions, at least 1
 */
public record ChangeSetHeader(long version, int records) {

    public ChangeSetHeader {
        if (version < 1 || records < 1) {
            throw new IllegalArgumentException(
                    "version is " + version + " and records " + records + ", expected at least 1");
        }
    }

    private static final String NAME = "change-set";

    /** Adds it to a record. */
    public void addTo(Headers headers) {
        headers.add(
                NAME,
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(version)
                        .putInt(records)
                        .array());
    }

    /**
     * The header of a record, if it has one.
     *
     * @throws UndecodableException if it has one that is none
     */
    public static Optional<ChangeSetHeader> of(Headers headers) throws UndecodableException {
        Header header = headers.lastHeader(NAME);
        if (header == null) {
            return Optional.empty();
        }
        byte[] bytes = header.value() == null ? new byte[0] : header.value();
        if (bytes.length != Long.BYTES + Integer.BYTES) {
            throw new UndecodableException("header " + NAME + " has " + bytes.length + " bytes, expected 12");
        }
        ByteBuffer value = ByteBuffer.wrap(bytes);
        try {
            return Optional.of(new ChangeSetHeader(value.getLong(), value.getInt()));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("header " + NAME + ": " + e.getMessage());
        }
    }
}
