package io.hereabouts.bridge.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;

/** Room for what is on its way to Kafka at QoS 0: what finds none is not sent. Thread-safe. */
public final class Qos0Room {

    private final long bytes;
    private final AtomicLong underway = new AtomicLong();

    /** @param bytes that may be on their way at a time */
    public Qos0Room(long bytes) {
        this.bytes = bytes;
    }

    /** Writes if there is room, which it takes until that has ended; fails at once if there is none. */
    CompletableFuture<Void> in(int size, Supplier<CompletableFuture<Void>> write) {
        if (underway.addAndGet(size) > bytes) {
            underway.addAndGet(-size);
            return CompletableFuture.failedFuture(new TimeoutException("QoS 0 buffer is full"));
        }
        return write.get().whenComplete((done, failure) -> underway.addAndGet(-size));
    }
}
