package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;

/** What a record of the Kafka topic {@code edges} is about. */
public record EdgeNews(EdgeId edge, Kind kind) {

    /** Which of its records. */
    public enum Kind {
        /** The edge, or another process that has its id, said that it lives. */
        HEARTBEAT,
        /** The edge ended, or was taken for gone. */
        LEASE_GONE,
        /** Somebody asks whether the edge lives. */
        QUESTION,
        /** Its removal went on, or has ended. */
        REMOVAL
    }
}
