package io.hereabouts.resolver.importing.osm;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import crosby.binary.Fileformat;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The blobs of a PBF file, one after the other, as often as asked. What is not asked for is not read. For one thread. */
final class BlobReader implements Closeable {

    private static final int MOST_HEADER_BYTES = 64 << 10;
    private static final int MOST_BYTES = 32 << 20;

    private final Path file;
    private final FileChannel channel;
    private final long size;

    private int number = -1;
    private long begin;
    private long next;
    private int dataSize;
    private String type = "";

    BlobReader(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString(), null, "no such file");
        }
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.size = channel.size();
    }

    /** Back to before the first blob. */
    void rewind() {
        number = -1;
        begin = 0;
        next = 0;
    }

    /** Moves to the next blob; false after the last one. */
    boolean next() throws IOException {
        begin = next;
        number++;
        if (begin == size) {
            return false;
        }
        int headerSize = bytes(begin, Integer.BYTES).getInt();
        if (headerSize <= 0 || headerSize > MOST_HEADER_BYTES) {
            throw malformed("not PBF: a header of " + headerSize + " bytes");
        }
        try {
            Fileformat.BlobHeader header = Fileformat.BlobHeader.parseFrom(bytes(begin + Integer.BYTES, headerSize));
            type = header.getType();
            dataSize = header.getDatasize();
        } catch (InvalidProtocolBufferException e) {
            throw malformed("not PBF: " + e.getMessage());
        }
        if (dataSize < 0 || dataSize > MOST_BYTES) {
            throw malformed("a blob of " + dataSize + " bytes, the limit is " + MOST_BYTES);
        }
        next = begin + Integer.BYTES + headerSize + dataSize;
        if (next > size) {
            throw malformed("the file breaks off");
        }
        return true;
    }

    /** The place of the blob, counted from 0: the header is 0. */
    int number() {
        return number;
    }

    /** What kind of data it holds. */
    String type() {
        return type;
    }

    /** Where the blob ends in the file. */
    long end() {
        return next;
    }

    long size() {
        return size;
    }

    /** The blob's content, unpacked. */
    ByteString content() throws IOException {
        try {
            Fileformat.Blob blob = Fileformat.Blob.parseFrom(bytes(next - dataSize, dataSize));
            return switch (blob.getDataCase()) {
                case RAW -> blob.getRaw();
                case ZLIB_DATA -> inflated(blob.getZlibData(), blob.getRawSize());
                default -> throw malformed("compressed as " + blob.getDataCase() + ", expected zlib or none");
            };
        } catch (InvalidProtocolBufferException e) {
            throw malformed("not PBF: " + e.getMessage());
        }
    }

    private ByteString inflated(ByteString packed, int rawSize) throws IOException {
        if (rawSize < 0 || rawSize > MOST_BYTES) {
            throw malformed("a blob of " + rawSize + " bytes, the limit is " + MOST_BYTES);
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed.asReadOnlyByteBuffer());
            byte[] raw = new byte[rawSize];
            int length = 0;
            while (length < rawSize) {
                int n = inflater.inflate(raw, length, rawSize - length);
                if (n == 0) {
                    throw malformed("unpacked to " + length + " bytes, expected " + rawSize);
                }
                length += n;
            }
            return ByteString.copyFrom(raw);
        } catch (DataFormatException e) {
            throw malformed("cannot be unpacked: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    private ByteBuffer bytes(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException(where() + ": the file breaks off");
            }
        }
        return buffer.flip();
    }

    private String where() {
        return file + ", block " + number + " (byte " + begin + ")";
    }

    /** An exception that names the file and the blob. */
    IOException malformed(String problem) {
        return new IOException(where() + ": " + problem);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
