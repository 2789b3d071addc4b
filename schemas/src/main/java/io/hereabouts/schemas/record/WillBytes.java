package io.hereabouts.schemas.record;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Will;
import java.nio.ByteBuffer;

/** The publication in a will. No state. */
public final class WillBytes {

    private WillBytes() {}

    /**
     * The publication, taken at this time: its expiry begins now, its id stays however often it is published.
     *
     * @param now milliseconds since 1970
     */
    public static Publication publishedAt(Will will, long now) throws UndecodableException {
        ByteBuffer framed = will.getPublication().duplicate();
        byte[] bytes = new byte[framed.remaining()];
        framed.get(bytes);
        Publication publication = Framing.decode(bytes, Publication.class);
        return Publication.newBuilder(publication).setEventTime(now).build();
    }
}
