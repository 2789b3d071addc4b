package io.hereabouts.perf.postgis;

/** JDBC does not notice an interrupt: this looks between statements. No state. */
final class Interrupts {

    private Interrupts() {}

    static void check() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted between statements");
        }
    }
}
