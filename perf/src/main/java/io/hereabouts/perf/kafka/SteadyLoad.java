package io.hereabouts.perf.kafka;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sends records at a fixed rate, whatever becomes of them: what it could not send in time it sends as soon as it can.
 * Runs on a thread of its own.
 */
final class SteadyLoad implements AutoCloseable {

    private static final long STEP_NANOS = 2_000_000;

    private final Producer<byte[], byte[]> producer;
    private final List<ProducerRecord<byte[], byte[]>> records;
    private final double perNano;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "perf-load");
    private volatile boolean over;

    private SteadyLoad(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records, int rate) {
        this.producer = producer;
        this.records = records;
        this.perNano = rate / 1e9;
    }

    /**
     * Begins.
     *
     * @param records that are sent in turn
     * @param rate of all of them a second
     */
    static SteadyLoad start(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records, int rate) {
        SteadyLoad load = new SteadyLoad(producer, records, rate);
        load.thread.start();
        return load;
    }

    private void run() {
        long begin = System.nanoTime();
        long n = 0;
        while (!over && failure.get() == null) {
            long due = (long) ((System.nanoTime() - begin) * perNano);
            for (; n < due && !over; n++) {
                var unused = producer.send(records.get((int) (n % records.size())), (ack, failed) -> {
                    if (failed == null) {
                        acknowledged.incrementAndGet();
                    } else {
                        failure.compareAndSet(null, failed);
                    }
                });
                sent.lazySet(n + 1);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /** How many it has handed to the producer. */
    long sent() {
        return sent.get();
    }

    /** How many Kafka has. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** Why it ended early; null if it did not. */
    @Nullable
    Exception failure() {
        return failure.get();
    }

    /** Ends, and waits until all that was sent is acknowledged or has failed. */
    @Override
    public void close() {
        over = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.flush();
    }
}
