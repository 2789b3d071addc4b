package io.hereabouts.schemas.record;

/**
 * Writes a framed {@code Delivery} around the bytes of a publication without building the record: what the router does
 * for each edge of each publication. Byte for byte what {@link Framing#encode} makes of the same record. No state.
 */
public final class DeliveryBytes {

    private static final int MAX_VARINT = 10;

    private DeliveryBytes() {}

    /**
     * A framed delivery.
     *
     * @param handles the first {@code count} are written
     * @param publication a framed publication
     */
    public static byte[] encode(
            int generation, int partition, long owner, long offset, long[] handles, int count, byte[] publication) {
        byte[] head = new byte[Framing.HEADER_BYTES + MAX_VARINT * (7 + count)];
        int at = 1;
        at = writeInt(head, at, SchemaIds.DELIVERY);
        at = writeVarint(head, at, generation);
        at = writeVarint(head, at, partition);
        at = writeVarint(head, at, owner);
        at = writeVarint(head, at, offset);
        if (count > 0) {
            at = writeVarint(head, at, count);
            for (int i = 0; i < count; i++) {
                at = writeVarint(head, at, handles[i]);
            }
        }
        at = writeVarint(head, at, 0);
        at = writeVarint(head, at, publication.length);
        byte[] framed = new byte[at + publication.length];
        System.arraycopy(head, 0, framed, 0, at);
        System.arraycopy(publication, 0, framed, at, publication.length);
        return framed;
    }

    private static int writeInt(byte[] to, int at, int value) {
        to[at] = (byte) (value >>> 24);
        to[at + 1] = (byte) (value >>> 16);
        to[at + 2] = (byte) (value >>> 8);
        to[at + 3] = (byte) value;
        return at + 4;
    }

    /** Avro's long: zigzag, 7 bits a byte, least significant first. */
    private static int writeVarint(byte[] to, int at, long value) {
        long rest = (value << 1) ^ (value >> 63);
        int next = at;
        while ((rest & ~0x7fL) != 0) {
            to[next++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        to[next++] = (byte) rest;
        return next;
    }
}
