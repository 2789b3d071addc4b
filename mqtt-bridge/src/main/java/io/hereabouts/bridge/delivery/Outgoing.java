package io.hereabouts.bridge.delivery;

import io.hereabouts.schemas.avro.Publication;

/**
 * A publication on its way to one client.
 *
 * @param entity as published
 * @param expiresAt milliseconds since 1970, or {@link Long#MAX_VALUE}
 * @param bytes about how much memory it takes
 */
public record Outgoing(Copy copy, String entity, Publication publication, long expiresAt, int bytes) {}
