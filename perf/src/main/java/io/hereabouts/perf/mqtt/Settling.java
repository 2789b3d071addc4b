package io.hereabouts.perf.mqtt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Waits for what is on its way. No state. */
final class Settling {

    private static final long LOOK_NANOS = 1_000_000;

    private Settling() {}

    /**
     * Returns when as much has come as is expected, or when nothing has come for a while.
     *
     * @param come how much has come so far
     */
    static void await(LongSupplier come, long expected, Duration quiet) throws InterruptedException {
        long before = -1;
        long progressed = System.nanoTime();
        for (long now = come.getAsLong(); now < expected; now = come.getAsLong()) {
            if (now > before) {
                before = now;
                progressed = System.nanoTime();
            } else if (System.nanoTime() - progressed > quiet.toNanos()) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
        }
    }
}
