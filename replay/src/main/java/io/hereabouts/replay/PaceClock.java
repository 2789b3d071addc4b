package io.hereabouts.replay;

import java.util.concurrent.TimeUnit;

/** Time as a replay sees it, so that tests need not sleep. */
public interface PaceClock {

    /** A clock that never goes back, in nanoseconds from anywhere. */
    long nanoTime();

    /** Waits so many nanoseconds. */
    void sleep(long nanos) throws InterruptedException;

    /** The machine's. */
    PaceClock SYSTEM = new PaceClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };
}
