package io.hereabouts.schemas.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The entity ids of a slice as bytes: sorted by their UTF-8 bytes, each written as (bytes shared with the one before,
 * bytes of its own, those bytes), the lengths as varints, the whole deflated. No state.
 */
public final class SliceIds {

    private SliceIds() {}

    /** Ids as the bytes of a slice; repeats are written once. */
    public static byte[] encode(Collection<String> ids) {
        TreeSet<byte[]> sorted = new TreeSet<>(java.util.Arrays::compareUnsigned);
        for (String id : ids) {
            sorted.add(id.getBytes(StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] previous = {};
        for (byte[] id : sorted) {
            int shared = java.util.Arrays.mismatch(previous, id);
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
     * Hands each id's UTF-8 bytes, a fresh array, to {@code each} in byte order.
     *
     * @param count how many there must be
     * @throws UndecodableException if the bytes are not a slice's, or hold another number of ids; some ids may have been
     *     handed over by then
     */
    public static void decode(byte[] bytes, int count, Consumer<byte[]> each) throws UndecodableException {
        ByteBuffer in = ByteBuffer.wrap(inflate(bytes));
        byte[] previous = {};
        int found = 0;
        while (in.hasRemaining()) {
            int shared = readVarint(in);
            int own = readVarint(in);
            if (shared > previous.length || own > in.remaining() || shared < 0 || own < 0) {
                throw new UndecodableException("slice id " + found + " is longer than the slice");
            }
            byte[] id = new byte[shared + own];
            System.arraycopy(previous, 0, id, 0, shared);
            in.get(id, shared, own);
            each.accept(id);
            previous = id;
            found++;
        }
        if (found != count) {
            throw new UndecodableException("slice has " + found + " ids, expected " + count);
        }
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

    private static byte[] inflate(byte[] bytes) throws UndecodableException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes);
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length * 3 + 16);
            byte[] buffer = new byte[8192];
            while (!inflater.finished()) {
                int n = inflater.inflate(buffer);
                if (n == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new UndecodableException("slice ends early");
                }
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        } catch (DataFormatException e) {
            throw new UndecodableException("slice is not deflated: " + e.getMessage());
        } finally {
            inflater.end();
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

    private static int readVarint(ByteBuffer in) throws UndecodableException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (!in.hasRemaining()) {
                break;
            }
            byte b = in.get();
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new UndecodableException("slice has a broken length");
    }
}
