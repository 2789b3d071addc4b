package io.hereabouts.replay;

/**
 * When each event is due: the first at once, any other as long after it as event time says, divided by the speed. Counts
 * from the first event, so that waiting a little too long each time does not add up; after a stall, what is late comes
 * without waiting. Immutable.
 *
 * @param speed of event time
 * @param firstEvent milliseconds since 1970-01-01T00:00Z
 * @param startNanos of the clock, when the first event was due
 */
record Pacing(Speed speed, long firstEvent, long startNanos) {

    /** The clock's nanoseconds at which an event is due; never before the start. */
    long dueNanos(long event) {
        if (speed.isMax() || event <= firstEvent) {
            return startNanos;
        }
        double nanos = (event - firstEvent) * 1e6 / speed.factor();
        return nanos >= Long.MAX_VALUE / 2.0 ? startNanos + Long.MAX_VALUE / 2 : startNanos + (long) nanos;
    }

    /** How long to wait before the event, in nanoseconds; 0 if it is due or late. */
    long waitNanos(long event, long nowNanos) {
        return Math.max(0, dueNanos(event) - nowNanos);
    }
}
