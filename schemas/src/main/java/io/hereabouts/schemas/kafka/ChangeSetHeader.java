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
 * @param version of the world that the change set makes
 * @param records of the change set, in all partitions, at least 1
 */
public record ChangeSetHeader(long version, int records) {

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
        ByteBuffer value = ByteBuffer.wrap(header.value());
        if (value.remaining() != Long.BYTES + Integer.BYTES) {
            throw new UndecodableException("header " + NAME + " has " + value.remaining() + " bytes, expected 12");
        }
        ChangeSetHeader found = new ChangeSetHeader(value.getLong(), value.getInt());
        if (found.version < 1 || found.records < 1) {
            throw new UndecodableException("header " + NAME + " is " + found);
        }
        return Optional.of(found);
    }
}
