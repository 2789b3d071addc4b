package io.hereabouts.replay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file as bytes, without their ends ({@code \n} or {@code \r\n}); unpacks gzip, which it knows by its
 * first two bytes. Holds one line in memory, never more than the limit. Not thread-safe.
 */
final class ByteLines implements AutoCloseable {

    /** The longest line; what is longer is cut off and {@link #tooLong()}. */
    static final int MAX_BYTES = 1 << 20;

    /** Three of these a file; hundreds of files may be open at once. */
    private static final int BUFFER_BYTES = 16_384;

    private final InputStream in;
    private final byte[] chunk = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private byte[] line = new byte[1_024];
    private int length;
    private long number;
    private boolean tooLong;

    private ByteLines(InputStream in) {
        this.in = in;
    }

    static ByteLines open(Path file) throws IOException {
        InputStream raw = Files.newInputStream(file);
        try {
            return of(raw);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    static ByteLines of(InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(new BufferedInputStream(raw, BUFFER_BYTES), 2);
        byte[] magic = in.readNBytes(2);
        in.unread(magic);
        boolean gzip = magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
        return new ByteLines(gzip ? new GZIPInputStream(in, BUFFER_BYTES) : in);
    }

    /** The next line, a fresh array, or null at the end of the file. */
    byte @Nullable [] next() throws IOException {
        length = 0;
        tooLong = false;
        boolean any = false;
        while (true) {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(chunk, 0, chunk.length));
                if (end == 0) {
                    return any ? finished() : null;
                }
            }
            any = true;
            int from = at;
            while (at < end && chunk[at] != '\n') {
                at++;
            }
            append(from, at);
            if (at < end) {
                at++;
                return finished();
            }
        }
    }

    private byte[] finished() {
        number++;
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        return Arrays.copyOf(line, length);
    }

    private void append(int from, int to) {
        int count = Math.min(to - from, MAX_BYTES - length);
        tooLong |= count < to - from;
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(length + count, Math.min(2 * line.length, MAX_BYTES)));
        }
        System.arraycopy(chunk, from, line, length, count);
        length += count;
    }

    /** Number of the line that was read last, from 1; 0 before the first. */
    long number() {
        return number;
    }

    /** True if the line that was read last is longer than the limit. */
    boolean tooLong() {
        return tooLong;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
