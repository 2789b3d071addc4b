package io.hereabouts.perf;

/** A number that must be what it was expected to be, or the figures are worth nothing. */
public record BookEntry(String of, long expected, long actual) {

    /** Whether it is. */
    public boolean balances() {
        return expected == actual;
    }
}
