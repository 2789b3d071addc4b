package io.hereabouts.perf.kafka;

/** A Kafka Streams application that reads {@code publications}, from its start until it is closed. */
interface Contender extends AutoCloseable {

    /** Its application id, with which the names of its stream threads begin. */
    String applicationId();

    /** How many records it has processed. */
    long processed();

    /** What is wrong with it; empty if nothing is. */
    String problem();

    @Override
    void close();
}
