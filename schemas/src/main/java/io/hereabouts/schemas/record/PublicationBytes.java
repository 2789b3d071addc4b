package io.hereabouts.schemas.record;

import io.hereabouts.schemas.avro.Publication;
import java.nio.charset.StandardCharsets;

/**
 * Reads the first field of a framed publication, the topic name, and nothing else: the router's hot path. The topic name
 * is first in every schema of a publication, the retired and the next ones included. No state.
 */
public final class PublicationBytes {

    /** True at each schema id of a publication. */
    private static final boolean[] IDS =
            SchemaIds.TABLE.idsOf(Publication.getClassSchema().getFullName());

    private PublicationBytes() {}

    /**
     * Where the UTF-8 bytes of the topic name are in a framed publication: {@code offset << 32 | length}.
     *
     * @throws UndecodableException if the bytes do not begin like a framed publication
     */
    public static long topicRange(byte[] framed) throws UndecodableException {
        return topicRange(framed, IDS);
    }

    /** The same, for these schema ids of a publication. */
    static long topicRange(byte[] framed, boolean[] ids) throws UndecodableException {
        int id = Framing.schemaId(framed);
        if (id < 0 || id >= ids.length || !ids[id]) {
            throw new UndecodableException("expected a Publication, found schema id " + id);
        }
        int at = Framing.HEADER_BYTES;
        long zigzag = 0;
        for (int shift = 0; ; shift += 7) {
            if (at >= framed.length || shift > 35) {
                throw new UndecodableException("publication ends within the length of its topic name");
            }
            byte b = framed[at++];
            zigzag |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                break;
            }
        }
        long length = (zigzag >>> 1) ^ -(zigzag & 1);
        if (length < 1 || length > framed.length - at) {
            throw new UndecodableException("publication has a topic name of " + length + " bytes");
        }
        return (long) at << 32 | length;
    }

    /**
     * The topic name of a framed publication.
     *
     * @throws UndecodableException if the bytes do not begin like a framed publication
     */
    public static String topic(byte[] framed) throws UndecodableException {
        long range = topicRange(framed);
        return new String(framed, (int) (range >>> 32), (int) range, StandardCharsets.UTF_8);
    }
}
