package io.hereabouts.bridge.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where credentials are checked, which is meant to take long: few threads, and a bounded queue in which one address has
 * a few places only, so that whoever floods the edge with CONNECTs finds it busy and the others do not. Thread-safe.
 */
final class Checks implements AutoCloseable {

    /** At once, waiting included. */
    static final int FROM_ONE_ADDRESS = 32;

    private static final int QUEUE = 512;

    private final Map<String, Integer> underWay = new HashMap<>();
    private final ThreadPoolExecutor threads;

    Checks() {
        int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.threads =
                new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "hereabouts-access");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** False if there is no room for it now. */
    boolean submit(String address, Runnable check) {
        if (!enter(address)) {
            return false;
        }
        try {
            threads.execute(() -> {
                try {
                    check.run();
                } finally {
                    leave(address);
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            leave(address);
            return false;
        }
    }

    private boolean enter(String address) {
        synchronized (underWay) {
            int now = underWay.getOrDefault(address, 0);
            if (now >= FROM_ONE_ADDRESS) {
                return false;
            }
            underWay.put(address, now + 1);
            return true;
        }
    }

    private void leave(String address) {
        synchronized (underWay) {
            underWay.computeIfPresent(address, (a, now) -> now == 1 ? null : now - 1);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(Duration.ofSeconds(5).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
