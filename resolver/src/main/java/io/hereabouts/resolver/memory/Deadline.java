package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnresolvableException;
import java.util.function.LongSupplier;

/** When one resolution must have ended. For one thread. */
final class Deadline {

    private final ResolutionLimits limits;
    private final LongSupplier nanoTime;
    private final long end;

    Deadline(ResolutionLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.end = nanoTime.getAsLong() + limits.maxTime().toNanos();
    }

    void check() throws UnresolvableException {
        if (nanoTime.getAsLong() - end > 0) {
            throw UnresolvableException.tooSlow(limits);
        }
    }
}
