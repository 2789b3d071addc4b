package io.hereabouts.perf.mqtt;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a message of ours says; the rest of its payload is padding.
 *
 * @param run the measurement
 * @param round of it
 * @param sequence number in the round, from 0
 * @param intendedNanos when it was due, as {@link System#nanoTime} of this process
 */
record Note(long run, int round, int sequence, long intendedNanos) {

    /** The smallest payload. */
    static final int BYTES = Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES;

    byte[] payload(int bytes) {
        return ByteBuffer.allocate(Math.max(bytes, BYTES))
                .putLong(run)
                .putInt(round)
                .putInt(sequence)
                .putLong(intendedNanos)
                .array();
    }

    /** What a payload says; empty if it is too short to be ours. */
    static Optional<Note> of(byte[] payload) {
        if (payload.length < BYTES) {
            return Optional.empty();
        }
        ByteBuffer from = ByteBuffer.wrap(payload);
        return Optional.of(new Note(from.getLong(), from.getInt(), from.getInt(), from.getLong()));
    }
}
