package io.hereabouts.schemas.record;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Deflated bytes, unpacked piece by piece as they are read, so that memory does not depend on what they claim to hold.
 * Not thread-safe.
 */
final class InflatedBytes implements AutoCloseable {

    private final Inflater inflater = new Inflater();
    private final byte[] piece = new byte[16_384];
    private int at;
    private int end;

    InflatedBytes(byte[] deflated) {
        inflater.setInput(deflated);
    }

    /**
     * Whether there is another byte.
     *
     * @throws UndecodableException if these are no deflated bytes, or end early, or others follow them
     */
    boolean hasMore() throws UndecodableException {
        if (at < end) {
            return true;
        }
        try {
            at = 0;
            end = inflater.inflate(piece);
            if (end > 0) {
                return true;
            }
        } catch (DataFormatException e) {
            throw new UndecodableException("slice is not deflated: " + e.getMessage());
        }
        if (!inflater.finished()) {
            throw new UndecodableException("slice ends early");
        }
        if (inflater.getRemaining() > 0) {
            throw new UndecodableException("slice has " + inflater.getRemaining() + " bytes left over");
        }
        return false;
    }

    byte read() throws UndecodableException {
        if (!hasMore()) {
            throw new UndecodableException("slice ends within an id");
        }
        return piece[at++];
    }

    void read(byte[] to, int from, int length) throws UndecodableException {
        int next = from;
        while (next < from + length) {
            if (!hasMore()) {
                throw new UndecodableException("slice ends within an id");
            }
            int count = Math.min(from + length - next, end - at);
            System.arraycopy(piece, at, to, next, count);
            at += count;
            next += count;
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
