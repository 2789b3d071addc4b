package io.hereabouts.bridge.delivery;

import io.hereabouts.schemas.avro.Publication;

/** When a publication is no longer to be delivered. No state. */
public final class Expiry {

    private Expiry() {}

    /**
     * A publication that came over MQTT began to expire when its edge took it; a replayed one when Kafka did.
     *
     * @param appendedAt when Kafka took it, milliseconds since 1970
     * @return milliseconds since 1970, or {@link Long#MAX_VALUE}
     */
    public static long of(Publication publication, long appendedAt) {
        Long seconds = publication.getMessageExpiryInterval();
        if (seconds == null) {
            return Long.MAX_VALUE;
        }
        long from = publication.getEdge().isEmpty() ? appendedAt : publication.getEventTime();
        return from + seconds * 1_000;
    }
}
