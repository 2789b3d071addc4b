package io.hereabouts.router;

/** The Kafka topic of one edge, and whether it was there when last looked for. Thread-safe. */
final class EdgeTopic {

    private final String name;
    private volatile boolean exists;

    /** In {@link System#nanoTime}; only meaningful while the topic does not exist. */
    private volatile long missedAt;

    private volatile boolean missed;

    EdgeTopic(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean exists() {
        return exists;
    }

    void seen() {
        exists = true;
        missed = false;
    }

    void missing(long now) {
        missedAt = now;
        missed = true;
        exists = false;
    }

    void forgetMiss() {
        missed = false;
    }

    boolean wasMissedSince(long time) {
        return missed && missedAt - time > 0;
    }
}
