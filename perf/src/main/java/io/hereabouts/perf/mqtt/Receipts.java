package io.hereabouts.perf.mqtt;

import java.util.Arrays;
import java.util.BitSet;
import org.HdrHistogram.Histogram;

/**
 * What one subscriber got in one round: each message once, those about one entity in order. Knows a message by a bit, so
 * that keeping the books takes nothing from what is measured at 100,000 messages a second. Thread-safe.
 */
final class Receipts {

    private final BitSet seen = new BitSet();
    private final int[] latestOfEntity;
    private final Histogram micros;
    private long distinct;
    private long repeats;
    private long disordered;
    private long latestNanos;

    /** @param micros gets the latencies, in microseconds; more than one thread may write to it */
    Receipts(int entities, Histogram micros) {
        this.micros = micros;
        this.latestOfEntity = new int[entities];
        Arrays.fill(latestOfEntity, -1);
    }

    /**
     * A message came.
     *
     * @param latencyNanos since it was due
     * @return whether it is the first time
     */
    synchronized boolean received(int sequence, int entity, long now, long latencyNanos) {
        if (seen.get(sequence)) {
            repeats++;
            return false;
        }
        seen.set(sequence);
        distinct++;
        if (sequence < latestOfEntity[entity]) {
            disordered++;
        }
        latestOfEntity[entity] = Math.max(latestOfEntity[entity], sequence);
        latestNanos = now;
        micros.recordValue(Math.max(0, latencyNanos / 1_000));
        return true;
    }

    synchronized long distinct() {
        return distinct;
    }

    synchronized long repeats() {
        return repeats;
    }

    /** Messages that came after a later one about the same entity. */
    synchronized long disordered() {
        return disordered;
    }

    /** When the last new message came, as {@link System#nanoTime}. */
    synchronized long latestNanos() {
        return latestNanos;
    }
}
