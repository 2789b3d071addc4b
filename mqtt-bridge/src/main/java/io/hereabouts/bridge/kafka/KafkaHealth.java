package io.hereabouts.bridge.kafka;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Whether Kafka is known to be down: from the first write that it did not answer to the first that succeeded. A record
 * that Kafka refuses for what it is, such as its size, says nothing about the others; nor does a full buffer. While it
 * is down, somebody must go on trying: the edge's lease does. Thread-safe.
 */
public final class KafkaHealth {

    private volatile boolean down;

    void succeeded() {
        if (down) {
            down = false;
        }
    }

    void failed(Exception why) {
        if (why instanceof RetriableException && !(why instanceof BufferExhaustedException)) {
            down = true;
        }
    }

    /** True while Kafka is known not to answer. */
    public boolean isDown() {
        return down;
    }
}
