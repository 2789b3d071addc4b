package io.hereabouts.bridge.kafka;

/**
 * Whether Kafka is known to be down: from the first write that failed to the first that succeeded. While it is, somebody
 * must go on trying: the edge's lease does. Thread-safe.
 */
public final class KafkaHealth {

    private volatile boolean down;

    void succeeded() {
        if (down) {
            down = false;
        }
    }

    void failed() {
        down = true;
    }

    /** True while the last write that ended has failed. */
    public boolean isDown() {
        return down;
    }
}
