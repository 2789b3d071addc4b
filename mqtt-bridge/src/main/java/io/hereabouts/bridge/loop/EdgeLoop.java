package io.hereabouts.bridge.loop;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns an edge's state: what is handed to {@link #execute} runs there, one after the other. Nothing that
 * runs there may wait.
 */
public final class EdgeLoop implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeLoop.class);

    private final ExecutorService thread;
    private final ScheduledExecutorService timer;

    public EdgeLoop(String name) {
        thread = Executors.newSingleThreadExecutor(task -> daemon(task, name));
        timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, name + "-timer"));
    }

    /** Runs the task every interval, unless the last run is still waiting for its turn. */
    @SuppressWarnings("FutureReturnValueIgnored") // guarded() lets nothing out
    public void every(Duration interval, Runnable task) {
        AtomicBoolean waiting = new AtomicBoolean();
        timer.scheduleAtFixedRate(
                () -> {
                    if (waiting.compareAndSet(false, true)) {
                        execute(() -> {
                            waiting.set(false);
                            task.run();
                        });
                    }
                },
                interval.toMillis(),
                interval.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("edge is closed, a task is left out");
        }
    }

    /** False once the edge is closed. */
    public boolean isAlive() {
        return !thread.isShutdown();
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("bug in the edge, it goes on", e);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
