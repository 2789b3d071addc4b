package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import java.sql.SQLException;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Looks entities up in an open loop: each is due at its time whatever became of those before. The filter time is from when
 * a lookup begins to its answer, not from when it was due: a mode that is slower than the rate has no end of waiting.
 */
final class PacedLookups {

    private PacedLookups() {}

    /**
     * The mean of the lookups without the slowest hundredth, in which the machine was somewhere else.
     *
     * @param rate lookups a second that are due
     * @param millis after which no more are begun
     * @return microseconds
     */
    static double run(FilterMapping mapping, List<EntityId> entities, int rate, int millis) throws SQLException {
        Histogram nanos = new Histogram(3);
        long begin = System.nanoTime();
        long end = begin + millis * 1_000_000L;
        for (int i = 0; ; i++) {
            long due = begin + (long) (i * (1e9 / rate));
            long now = System.nanoTime();
            while (now < due && now < end) {
                Thread.onSpinWait();
                now = System.nanoTime();
            }
            if (now >= end && i > 0) {
                break;
            }
            long[] found = mapping.handles(entities.get(i % entities.size()));
            nanos.recordValue(System.nanoTime() - now);
            if (found.length == 0) {
                throw new IllegalStateException("an entity of the mapping is in no neighborhood");
            }
        }
        return trimmedMean(nanos) / 1e3;
    }

    /** Of the values up to the 99th percentile. */
    static double trimmedMean(Histogram nanos) {
        Histogram kept = new Histogram(nanos);
        long most = nanos.getValueAtPercentile(99);
        kept.reset();
        nanos.recordedValues().forEach(value -> {
            if (value.getValueIteratedTo() <= most) {
                kept.recordValueWithCount(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
            }
        });
        return kept.getMean();
    }
}
