package io.hereabouts.bridge.retained;

import io.hereabouts.bridge.delivery.Expiry;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;

/** A publication that is retained for its topic name and entity. Kept as bytes, which take the least memory. Immutable. */
public final class Retained {

    private final RetainedKey key;
    private final SourcePosition position;
    private final byte[] framed;
    private final long expiresAt;

    private Retained(RetainedKey key, SourcePosition position, byte[] framed, long expiresAt) {
        this.key = key;
        this.position = position;
        this.framed = framed;
        this.expiresAt = expiresAt;
    }

    /**
     * What a record of {@code retained} says.
     *
     * @param framed the record of {@code publications} as it is; not to be changed afterwards
     * @param appendedAt when Kafka took it, milliseconds since 1970
     */
    public static Retained of(RetainedKey key, SourcePosition position, byte[] framed, long appendedAt)
            throws UndecodableException {
        Publication publication = Framing.decode(framed, Publication.class);
        if (!publication.getTopic().equals(key.topic())) {
            throw new UndecodableException("a publication to another topic than its key says");
        }
        return new Retained(key, position, framed, Expiry.of(publication, appendedAt));
    }

    public RetainedKey key() {
        return key;
    }

    /** Where it is among all publications. */
    public SourcePosition position() {
        return position;
    }

    /** Milliseconds since 1970, or {@link Long#MAX_VALUE}. */
    public long expiresAt() {
        return expiresAt;
    }

    /** As it is in Kafka; not to be changed. */
    public byte[] framed() {
        return framed;
    }

    /** The publication. */
    public Publication publication() {
        try {
            return Framing.decode(framed, Publication.class);
        } catch (UndecodableException e) {
            throw new IllegalStateException("could be decoded before", e);
        }
    }

    @Override
    public String toString() {
        return key.topic() + " about " + key.entity() + " at " + position;
    }
}
