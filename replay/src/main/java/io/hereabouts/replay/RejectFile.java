package io.hereabouts.replay;

import io.hereabouts.replay.BadLineException.Kind;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The lines that did not become publications, as CSV with the columns {@code file}, {@code line}, {@code reason},
 * {@code detail} and {@code text}. The text has the bytes of the line, but that a quote is written twice; the rest is in
 * the encoding of the line's file. Written through at once, so that nothing is missing after a crash. Not thread-safe.
 */
final class RejectFile implements AutoCloseable {

    private static final char QUOTE = '"';

    private final Path path;
    private final OutputStream out;

    private RejectFile(Path path, OutputStream out) {
        this.path = path;
        this.out = out;
    }

    /** Begins the file anew. */
    static RejectFile open(Path path) throws IOException {
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(path));
        RejectFile file = new RejectFile(path, out);
        out.write("file,line,reason,detail,text\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return file;
    }

    void add(Path file, Charset encoding, long line, Kind kind, String detail, byte[] text) throws IOException {
        try {
            quoted(file.toString().getBytes(encoding));
            out.write(("," + line + "," + kind.tag() + ",").getBytes(encoding));
            quoted(detail.getBytes(encoding));
            out.write(',');
            quoted(text);
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new IOException("cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    private void quoted(byte[] bytes) throws IOException {
        out.write(QUOTE);
        for (byte b : bytes) {
            if (b == QUOTE) {
                out.write(QUOTE);
            }
            out.write(b);
        }
        out.write(QUOTE);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
