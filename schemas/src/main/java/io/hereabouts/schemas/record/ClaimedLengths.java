package io.hereabouts.schemas.record;

import org.apache.avro.Schema;

/**
 * Walks over Avro binary and checks that whatever length it claims is there, before Avro believes it: Avro allocates what
 * a string, bytes or array say they have, so that ten bytes could ask for gigabytes. Linear in the bytes; use once.
 */
final class ClaimedLengths {

    private final byte[] bytes;
    private int at;

    private ClaimedLengths(byte[] bytes, int from) {
        this.bytes = bytes;
        this.at = from;
    }

    /** @throws UndecodableException if the bytes from {@code from} on are not, to the last, a datum of the schema */
    static void check(Schema schema, byte[] bytes, int from) throws UndecodableException {
        ClaimedLengths walk = new ClaimedLengths(bytes, from);
        walk.over(schema);
        if (walk.at != bytes.length) {
            throw new UndecodableException((bytes.length - walk.at) + " bytes left over after a " + schema.getName());
        }
    }

    private void over(Schema schema) throws UndecodableException {
        switch (schema.getType()) {
            case RECORD -> {
                for (Schema.Field field : schema.getFields()) {
                    over(field.schema());
                }
            }
            case INT -> {
                long value = varint();
                if (value != (int) value) {
                    throw new UndecodableException("int of " + value);
                }
            }
            case LONG, ENUM -> varint();
            case BOOLEAN -> skip(1);
            case FLOAT -> skip(Float.BYTES);
            case DOUBLE -> skip(Double.BYTES);
            case FIXED -> skip(schema.getFixedSize());
            case STRING, BYTES -> skip(varint());
            case UNION -> {
                long index = varint();
                if (index < 0 || index >= schema.getTypes().size()) {
                    throw new UndecodableException("branch " + index + " of a union");
                }
                over(schema.getTypes().get((int) index));
            }
            case ARRAY -> elements(schema.getElementType(), false);
            case MAP -> elements(schema.getValueType(), true);
            case NULL -> {}
        }
    }

    private void elements(Schema element, boolean named) throws UndecodableException {
        for (long count = varint(); count != 0; count = varint()) {
            if (count < 0) {
                // a block that says how many bytes it has
                count = -count;
                varint();
            }
            // no element of ours has less than a byte
            if (count < 0 || count > bytes.length - at) {
                throw new UndecodableException("list of " + count + " elements in " + (bytes.length - at) + " bytes");
            }
            for (long i = 0; i < count; i++) {
                if (named) {
                    skip(varint());
                }
                over(element);
            }
        }
    }

    private void skip(long count) throws UndecodableException {
        if (count < 0 || count > bytes.length - at) {
            throw new UndecodableException(count + " bytes claimed, " + (bytes.length - at) + " are there");
        }
        at += (int) count;
    }

    private long varint() throws UndecodableException {
        long zigzag = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == bytes.length) {
                throw new UndecodableException("ends within a number");
            }
            byte b = bytes[at++];
            zigzag |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new UndecodableException("number of more than ten bytes");
    }
}
