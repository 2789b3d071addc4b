package io.hereabouts.bridge.will;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Publication;

/**
 * What is to be published about an entity when a connection is lost.
 *
 * @param client whose connection it is
 * @param connection number of the connection, unique in a run of the edge
 * @param publication as a PUBLISH of the client would be, under an id that it keeps
 * @param delaySeconds how long to wait for the client to come back to its session
 * @param bytes that it takes, about
 */
public record SpatialWill(
        String client, long connection, EntityId entity, Publication publication, long delaySeconds, long bytes) {}
