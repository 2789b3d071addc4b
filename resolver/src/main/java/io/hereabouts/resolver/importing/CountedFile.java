package io.hereabouts.resolver.importing;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** The bytes of a file, unzipped if they are gzip; tells how many were taken from the disk. */
final class CountedFile {

    private final ReadProgress progress;
    private final long total;
    private final InputStream content;
    private long read;

    CountedFile(Path file, ReadProgress progress) throws IOException {
        this.progress = progress;
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString(), null, "no such file");
        }
        total = Files.size(file);
        InputStream raw = new BufferedInputStream(new Counting(Files.newInputStream(file)), 1 << 16);
        try {
            content = isGzip(raw) ? new BufferedInputStream(new GZIPInputStream(raw, 1 << 16), 1 << 16) : raw;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /** Told by its first bytes, for a name may be wrong. */
    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip;
    }

    InputStream content() {
        return content;
    }

    private final class Counting extends FilterInputStream {

        Counting(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            took(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = super.read(buffer, offset, length);
            took(Math.max(0, n));
            return n;
        }

        private void took(int bytes) {
            read += bytes;
            progress.read(read, total);
        }
    }
}
