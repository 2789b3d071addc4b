package io.hereabouts.perf;

/** Told in one line each what a measurement is doing, on the thread that measures. */
@FunctionalInterface
public interface Progress {
    void line(String text);
}
