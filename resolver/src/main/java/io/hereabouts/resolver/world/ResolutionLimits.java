package io.hereabouts.resolver.world;

import java.time.Duration;

/**
 * What a world refuses to do for one descriptor. Immutable.
 *
 * @param maxEntities the most entities that a neighborhood may have, at least 1
 * @param maxTime how long one resolution may take, at least a millisecond
 */
public record ResolutionLimits(int maxEntities, Duration maxTime) {

    /** A million entities, half a minute. */
    public static final ResolutionLimits DEFAULT = new ResolutionLimits(1_000_000, Duration.ofSeconds(30));

    public ResolutionLimits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("neighborhood.max-entities is " + maxEntities + ", expected at least 1");
        }
        if (maxTime.toMillis() < 1) {
            throw new IllegalArgumentException("maxTime is " + maxTime + ", expected at least 1 ms");
        }
    }
}
