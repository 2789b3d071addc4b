package io.hereabouts.replay;

import java.time.Duration;

/**
 * How event time passes. Immutable.
 *
 * @param speed how fast
 * @param maxGapMillis of event time: a longer pause is cut down to that; above 0
 */
public record Pace(Speed speed, long maxGapMillis) {

    /** As fast as it goes. */
    public static final Pace MAX = new Pace(Speed.MAX, Long.MAX_VALUE);

    public Pace {
        if (maxGapMillis <= 0) {
            throw new IllegalArgumentException("expected a duration above 0");
        }
    }

    public Pace withSpeed(Speed value) {
        return new Pace(value, maxGapMillis);
    }

    /** @throws IllegalArgumentException if it is not above 0 */
    public Pace withMaxGap(Duration value) {
        return new Pace(speed, value.toMillis());
    }
}
