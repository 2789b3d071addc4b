package io.hereabouts.replay;

/**
 * When each event is due: the first at once, any other as long after it as event time says, without what is cut out of
 * long pauses, divided by the speed. Counts from the first event, so that waiting a little too long each time does not add
 * up; after a stall, what is late comes without waiting, and so does what is out of order. Not thread-safe.
 */
final class Pacing {

    private final Pace pace;
    private final long startNanos;
    private final long firstEvent;
    private long latestEvent;
    private long cutMillis;
    private long pausesCut;

    /**
     * @param firstEvent milliseconds since 1970-01-01T00:00Z
     * @param startNanos of the clock, when the first event is due
     */
    Pacing(Pace pace, long firstEvent, long startNanos) {
        this.pace = pace;
        this.firstEvent = firstEvent;
        this.latestEvent = firstEvent;
        this.startNanos = startNanos;
    }

    /** How long to wait before the next event, in nanoseconds; 0 if it is due or late. */
    long waitNanos(long event, long nowNanos) {
        if (pace.speed().isMax()) {
            return 0;
        }
        if (event > latestEvent) {
            long excess = event - latestEvent - pace.maxGapMillis();
            if (excess > 0) {
                cutMillis += excess;
                pausesCut++;
            }
            latestEvent = event;
        }
        return Math.max(0, dueNanos(event) - nowNanos);
    }

    private long dueNanos(long event) {
        double nanos =
                Math.max(0, event - firstEvent - cutMillis) * 1e6 / pace.speed().factor();
        return startNanos + (nanos >= Long.MAX_VALUE / 2.0 ? Long.MAX_VALUE / 2 : (long) nanos);
    }

    /** How many pauses were cut. */
    long pausesCut() {
        return pausesCut;
    }
}
