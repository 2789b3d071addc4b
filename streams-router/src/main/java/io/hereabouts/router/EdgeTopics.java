package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;

/**
 * Which edges have a Kafka topic, and which live. A send to a missing one would stall a stream thread, so nothing goes to an edge before
 * its topic was seen. Thread-safe.
 */
interface EdgeTopics {

    /** The edge's topic, the same object each time. */
    EdgeTopic of(EdgeId edge);

    /**
     * Asks Kafka whether a topic that was not seen yet exists; at most once a second for each topic.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException if Kafka does not answer in time
     */
    boolean ask(EdgeTopic topic);

    /** Whether the edge was heard of lately. */
    boolean lives(EdgeId edge);

    /** Lets the next {@link #ask} ask again: a new owner must not go by what was true before it loaded. */
    void forgetMisses();
}
