package io.hereabouts.schemas.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * How a record becomes bytes: magic 0, 4 bytes of schema id (big endian), Avro binary. That is the wire format of the
 * usual schema registries; the ids come from {@link SchemaIds}, so that no registry has to run. What a retired schema
 * wrote is read as the current one of its name. Thread-safe.
 */
public final class Framing {

    /** Bytes before the Avro binary. */
    public static final int HEADER_BYTES = 5;

    static {
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.DEFAULT, type -> type.getName().startsWith("io.hereabouts.")));
    }

    private static final ThreadLocal<Codec> CODEC = ThreadLocal.withInitial(() -> new Codec(SchemaIds.TABLE));

    private Framing() {}

    /** The record as bytes. */
    public static byte[] encode(SpecificRecord record) {
        return CODEC.get().encode(record);
    }

    /**
     * The record in these bytes.
     *
     * @throws UndecodableException if the bytes are not a framed record of a known schema
     */
    public static SpecificRecord decode(byte[] bytes) throws UndecodableException {
        return CODEC.get().decode(bytes);
    }

    /**
     * The record in these bytes, which must be of the given class.
     *
     * @throws UndecodableException if the bytes are anything else
     */
    public static <T extends SpecificRecord> T decode(byte[] bytes, Class<T> type) throws UndecodableException {
        SpecificRecord record = decode(bytes);
        if (!type.isInstance(record)) {
            throw new UndecodableException("expected " + type.getSimpleName() + ", found "
                    + record.getSchema().getName());
        }
        return type.cast(record);
    }

    /**
     * The schema id of framed bytes, without decoding them.
     *
     * @throws UndecodableException if there is no frame
     */
    public static int schemaId(byte[] bytes) throws UndecodableException {
        if (bytes.length < HEADER_BYTES || bytes[0] != 0) {
            throw new UndecodableException("no frame: expected magic 0 and a 4-byte schema id, found " + bytes.length
                    + " bytes" + (bytes.length == 0 ? "" : " beginning with " + bytes[0]));
        }
        return ByteBuffer.wrap(bytes, 1, 4).getInt();
    }

    /** Encodes and decodes with the schemas of one table. For one thread. */
    static final class Codec {
        private final SchemaTable schemas;
        private final Map<Integer, SpecificDatumReader<SpecificRecord>> readers = new HashMap<>();
        private final Map<Integer, SpecificDatumWriter<SpecificRecord>> writers = new HashMap<>();
        private final FastBytes out = new FastBytes();
        private final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        private BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(new byte[0], null);

        Codec(SchemaTable schemas) {
            this.schemas = schemas;
        }

        byte[] encode(SpecificRecord record) {
            Schema schema = record.getSchema();
            try {
                out.reset();
                out.write(0);
                int id = schemas.idOf(schema);
                out.writeInt(id);
                writers.computeIfAbsent(id, i -> new SpecificDatumWriter<>(schema))
                        .write(record, encoder);
                encoder.flush();
                return out.toByteArray();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        SpecificRecord decode(byte[] bytes) throws UndecodableException {
            int id = schemaId(bytes);
            Schema writer = schemas.schemaOf(id);
            try {
                ClaimedLengths.check(writer, bytes, HEADER_BYTES);
                decoder = DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, decoder);
                return readers.computeIfAbsent(id, i -> new SpecificDatumReader<>(writer, schemas.currentOf(writer)))
                        .read(null, decoder);
            } catch (UndecodableException e) {
                throw new UndecodableException("not a " + writer.getName() + ": " + e.getMessage());
            } catch (IOException | RuntimeException e) {
                // Avro answers some malformed bytes with whatever exception happens to come
                throw new UndecodableException("not a " + writer.getName() + ": " + e);
            }
        }
    }

    private static final class FastBytes extends java.io.ByteArrayOutputStream {
        void writeInt(int value) {
            write(value >>> 24);
            write(value >>> 16);
            write(value >>> 8);
            write(value);
        }
    }
}
