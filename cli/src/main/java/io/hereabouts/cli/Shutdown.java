package io.hereabouts.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into a word to the command, and keeps the process until the command says that it has closed
 * what it opened.
 */
final class Shutdown {

    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch closed = new CountDownLatch(1);

    private Shutdown() {}

    static Shutdown onSignal(Runnable stop) {
        Shutdown shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutdown.stop(stop), "shutdown"));
        return shutdown;
    }

    private void stop(Runnable stop) {
        stop.run();
        try {
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("hereabouts: did not stop within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything is closed: the process may end. */
    void complete() {
        closed.countDown();
    }
}
