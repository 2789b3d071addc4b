package io.hereabouts.perf.ledger;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Publishes at a steady rate, whatever becomes of it, from {@link #begin} to {@link #pause}, on a thread of its own, and
 * watches how late copies are. One thread begins and pauses.
 */
final class Pace implements AutoCloseable {

    /** What has not come so long after it was published is late: more than a commit. */
    private static final long LATE_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often that is looked at. */
    private static final long WATCH_NANOS = Duration.ofMillis(20).toNanos();

    private final LedgerLoad load;
    private final long interval;
    private final Thread thread = new Thread(this::run, "ledger-pace");
    private @Nullable Page page;
    private boolean pausing;
    private boolean over;
    private volatile long lastLate;
    private volatile long watched;
    private volatile @Nullable Throwable failed;

    Pace(LedgerLoad load, int perSecond) {
        this.load = load;
        this.interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins a page and publishes. */
    synchronized Page begin() {
        Page turned = load.turn();
        page = turned;
        notifyAll();
        return turned;
    }

    /** Returns when nothing is being published any more. */
    synchronized void pause() throws InterruptedException {
        pausing = true;
        while (page != null && failed == null) {
            wait();
        }
        pausing = false;
    }

    /** When a copy of QoS 1 or 2 was late the last time, as {@link System#nanoTime}. */
    long lastLate() {
        return lastLate;
    }

    /** When that was looked at the last time. */
    long watched() {
        return watched;
    }

    /** @throws IllegalStateException if it cannot go on */
    void check() {
        Throwable why = failed;
        if (why != null) {
            throw new IllegalStateException("nothing is published any more", why);
        }
    }

    private void run() {
        try {
            for (Page current = await(); current != null; current = await()) {
                publish(current);
            }
        } catch (RuntimeException | Error e) {
            failed = e;
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private synchronized @Nullable Page await() {
        while (page == null && !over) {
            try {
                wait();
            } catch (InterruptedException e) {
                return null;
            }
        }
        return over ? null : page;
    }

    private void publish(Page current) {
        long begin = System.nanoTime();
        long watch = begin;
        for (long n = 0; !isPausing(); n++) {
            for (long wait = begin + n * interval - System.nanoTime();
                    wait > 0;
                    wait = begin + n * interval - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            load.publish();
            long now = System.nanoTime();
            if (now - watch >= WATCH_NANOS) {
                watch = now;
                load.conclude();
                if (current.isLate(now - LATE_NANOS)) {
                    lastLate = now;
                }
                watched = now;
            }
        }
    }

    private synchronized boolean isPausing() {
        if (pausing || over) {
            page = null;
            notifyAll();
            return true;
        }
        return false;
    }

    @Override
    public synchronized void close() {
        over = true;
        notifyAll();
    }
}
