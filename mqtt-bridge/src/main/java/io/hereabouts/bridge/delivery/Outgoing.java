package io.hereabouts.bridge.delivery;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.UserProperty;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A publication on its way to one client.
 *
 * @param entity as published
 * @param expiresAt milliseconds since 1970, or {@link Long#MAX_VALUE}
 * @param bytes about how much memory it takes
 * @param retained whether it was retained when the subscription came, or its entity came into the neighborhood
 * @param handedOn how often edges have handed it on to other members of its group
 */
public record Outgoing(
        Copy copy, String entity, Publication publication, long expiresAt, int bytes, boolean retained, int handedOn) {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Fixed header, packet id, the lengths, and the properties of fixed size, at most. */
    private static final int FIXED_BYTES = 5 + 2 + 4 + 5 + 2;

    private static final int PROPERTY_BYTES = 1 + 2 + 2;
    private static final int IDENTIFIER_BYTES = 1 + 4;
    /** Our three property names, with room for names that were configured. */
    private static final int NAME_BYTES = 64;

    /** As it was published. */
    public Outgoing(Copy copy, String entity, Publication publication, long expiresAt, int bytes) {
        this(copy, entity, publication, expiresAt, bytes, false, 0);
    }

    /** The same for another client. */
    public Outgoing to(Copy other) {
        return new Outgoing(other, entity, publication, expiresAt, bytes, retained, handedOn);
    }

    /** Whether another client may have it if this one does not get it. */
    boolean isShared() {
        return copy.via().isShared();
    }

    /** What has to be known of it once the broker has it: all but what only the client wants, if nobody else may want it. */
    Outgoing noted() {
        if (isShared()) {
            return this;
        }
        // by the builder: a field that the schema gains one day has its default here
        Publication small = Publication.newBuilder()
                .setTopic("")
                .setPublicationId("")
                .setPublisher("")
                .setEdge(publication.getEdge())
                .setQos(publication.getQos())
                .setRetain(false)
                .setEventTime(publication.getEventTime())
                .setMessageExpiryInterval(null)
                .setPayloadFormatIndicator(null)
                .setContentType(null)
                .setResponseTopic(null)
                .setCorrelationData(null)
                .setUserProperties(List.of())
                .setPayload(NOTHING)
                .build();
        return new Outgoing(copy, "", small, expiresAt, bytes, retained, handedOn);
    }

    /** Whether the PUBLISH has RETAIN (MQTT 5.0 §3.3.1.3). */
    public boolean retain() {
        return retained || (publication.getRetain() && copy.via().options().retainAsPublished());
    }

    /** How long the PUBLISH is for the client, at most. */
    long packetBytes() {
        long length = FIXED_BYTES + utf8(publication.getTopic()) + 2L;
        length += publication.getPayload().remaining();
        length += utf8(publication.getContentType()) + utf8(publication.getResponseTopic()) + 2L * PROPERTY_BYTES;
        ByteBuffer correlation = publication.getCorrelationData();
        length += correlation == null ? 0 : correlation.remaining() + PROPERTY_BYTES;
        for (UserProperty property : publication.getUserProperties()) {
            length += PROPERTY_BYTES + utf8(property.getName()) + utf8(property.getValue());
        }
        length += 2L * (PROPERTY_BYTES + NAME_BYTES) + utf8(entity) + utf8(publication.getPublicationId());
        for (String id : copy.neighborhoodIds()) {
            length += PROPERTY_BYTES + NAME_BYTES + utf8(id);
        }
        return length + (long) IDENTIFIER_BYTES * copy.subscriptionIdentifiers().size();
    }

    private static long utf8(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
