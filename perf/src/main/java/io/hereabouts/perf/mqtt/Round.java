package io.hereabouts.perf.mqtt;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One round over one broker: what was published, and what became of it. Thread-safe. */
final class Round {

    private static final int DIGITS = 3;
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private final int number;
    private final List<Receipts> receipts;
    private final Histogram micros = new ConcurrentHistogram(DIGITS);
    private final Semaphore window;
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final long beginNanos = System.nanoTime();
    private final LongAdder published = new LongAdder();
    private final LongAdder owed = new LongAdder();

    /**
     * @param window copies that may be on their way at the start; one more may for each that comes
     */
    Round(int number, int subscribers, int entities, int window) {
        this.number = number;
        this.receipts = IntStream.range(0, subscribers)
                .mapToObj(s -> new Receipts(entities, micros))
                .toList();
        this.window = new Semaphore(window);
    }

    int number() {
        return number;
    }

    /** Permits for copies that may be on their way, released as they come. */
    Semaphore window() {
        return window;
    }

    /** One more was published, which so many subscribers are to get. */
    void published(int copies) {
        owed.add(copies);
        published.increment();
    }

    void answered(boolean taken) {
        (taken ? acknowledged : refused).increment();
    }

    void received(int subscriber, Note note, int entity, long now) {
        if (receipts.get(subscriber).received(note.sequence(), entity, now, now - note.intendedNanos())) {
            window.release();
        }
    }

    /** Waits until everything has been acknowledged and has come, as long as something still comes. */
    void await() throws InterruptedException {
        Settling.await(() -> answers() + delivered(), published() + expected(), SETTLE);
    }

    long published() {
        return published.sum();
    }

    long acknowledged() {
        return acknowledged.sum();
    }

    /** Copies that are owed. */
    long expected() {
        return owed.sum();
    }

    /** Copies that came, each once. */
    long delivered() {
        return receipts.stream().mapToLong(Receipts::distinct).sum();
    }

    long repeats() {
        return receipts.stream().mapToLong(Receipts::repeats).sum();
    }

    long disordered() {
        return receipts.stream().mapToLong(Receipts::disordered).sum();
    }

    /** Publications a second from the first to the arrival of the last copy. */
    double rate() {
        long end = receipts.stream().mapToLong(Receipts::latestNanos).max().orElse(beginNanos);
        return published() * (delivered() / (double) Math.max(1, expected())) * 1e9 / Math.max(1, end - beginNanos);
    }

    /** Latencies of all copies in microseconds, from when each message was due. */
    Histogram latencies() {
        return micros.copy();
    }

    /** Milliseconds that so many of a hundred copies took at most. */
    double millis(double percentile) {
        return latencies().getValueAtPercentile(percentile) / 1e3;
    }

    private long answers() {
        return acknowledged.sum() + refused.sum();
    }
}
