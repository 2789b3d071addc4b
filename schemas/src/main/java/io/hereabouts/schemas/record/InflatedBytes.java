package io.hereabouts.schemas.record;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Deflated bytes, unpacked piece by piece as they are read, so that memory does not depend on what they claim to hold.
 * Not thread-safe; one at a time in a thread.
 */
final class InflatedBytes {

    private static final int SMALLEST_PIECE = 256;
    private static final int LARGEST_PIECE = 16_384;
    private static final int USUAL_RATIO = 4;

    /** To make one takes longer than to unpack a small slice, of which a router that starts reads millions. */
    private static final ThreadLocal<Inflater> INFLATERS = ThreadLocal.withInitial(Inflater::new);

    private final Inflater inflater = INFLATERS.get();
    private final byte[] piece;
    private int at;
    private int end;

    InflatedBytes(byte[] deflated) {
        inflater.reset();
        inflater.setInput(deflated);
        piece = new byte[Math.min(LARGEST_PIECE, Math.max(SMALLEST_PIECE, USUAL_RATIO * deflated.length))];
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
}
