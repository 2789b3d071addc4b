package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Publication;
import java.util.Map;

/** Where replayed publications go. Called by one thread. */
public interface PublicationSink extends AutoCloseable {

    /**
     * Sends a publication, after those of the same entity that were sent before. Waits where too many are on their way.
     *
     * @throws SinkFailedException if this or an earlier publication cannot be delivered; the sink is of no use afterwards
     */
    void send(EntityId entity, Publication publication) throws SinkFailedException, InterruptedException;

    /** Waits until everything sent was acknowledged or refused. */
    void flush() throws SinkFailedException, InterruptedException;

    /** How many publications were acknowledged so far. */
    long acknowledged();

    /** How many publications were refused so far, each for itself and for good, by reason. */
    default Map<String, Long> refused() {
        return Map.of();
    }

    @Override
    void close();

    /** A publication could not be delivered. */
    final class SinkFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        public SinkFailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
