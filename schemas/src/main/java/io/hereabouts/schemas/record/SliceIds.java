package io.hereabouts.schemas.record;

import io.hereabouts.model.entity.EntityId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.Deflater;

/**
 * The entity ids of a slice as bytes: sorted by their UTF-8 bytes, each written as (bytes shared with the one before,
 * bytes of its own, those bytes), the lengths as varints, the whole deflated. No state.
 */
public final class SliceIds {

    private SliceIds() {}

    /** Ids as the bytes of a slice; repeats are written once. */
    public static byte[] encode(Collection<String> ids) {
        TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
        for (String id : ids) {
            sorted.add(id.getBytes(StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] previous = {};
        for (byte[] id : sorted) {
            int shared = Arrays.mismatch(previous, id);
            if (shared < 0) {
                shared = previous.length;
            }
            writeVarint(plain, shared);
            writeVarint(plain, id.length - shared);
            plain.write(id, shared, id.length - shared);
            previous = id;
        }
        return deflate(plain.toByteArray());
    }

    /**
     * Hands each id's UTF-8 bytes, a fresh array, to {@code each} in byte order. Unpacks no more than it hands over,
     * whatever the bytes claim: ids must ascend, and nobody's id is longer than an entity's may be.
     *
     * @param count how many there must be
     * @throws UndecodableException if the bytes are not a slice's, or hold another number of ids; some ids may have been
     *     handed over by then
     */
    public static void decode(byte[] bytes, int count, Consumer<byte[]> each) throws UndecodableException {
        InflatedBytes in = new InflatedBytes(bytes);
        byte[] previous = {};
        int found = 0;
        while (in.hasMore()) {
            if (found >= count) {
                throw new UndecodableException("slice has more than " + found + " ids, expected " + count);
            }
            byte[] id = next(in, previous, found);
            each.accept(id);
            previous = id;
            found++;
        }
        if (found != count) {
            throw new UndecodableException("slice has " + found + " ids, expected " + count);
        }
    }

    private static byte[] next(InflatedBytes in, byte[] previous, int index) throws UndecodableException {
        int shared = readVarint(in);
        int own = readVarint(in);
        if (shared < 0 || own < 0 || shared > previous.length || (long) shared + own > EntityId.MAX_BYTES) {
            throw new UndecodableException(
                    "slice id " + index + " shares " + shared + " bytes with the one before, which has "
                            + previous.length + ", and has " + own + " of its own; the limit is " + EntityId.MAX_BYTES);
        }
        if (shared + own == 0) {
            throw new UndecodableException("slice id " + index + " is empty");
        }
        byte[] id = Arrays.copyOf(previous, shared + own);
        in.read(id, shared, own);
        if (Arrays.compareUnsigned(previous, id) >= 0) {
            throw new UndecodableException("slice id " + index + " is out of order");
        }
        return id;
    }

    private static byte[] deflate(byte[] plain) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(plain);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2 + 16);
            byte[] buffer = new byte[8192];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    private static void writeVarint(ByteArrayOutputStream out, int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    private static int readVarint(InflatedBytes in) throws UndecodableException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte b = in.read();
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new UndecodableException("slice has a broken length");
    }
}
