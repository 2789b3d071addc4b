package io.hereabouts.perf;

import java.util.ArrayList;
import java.util.List;

/** Collects parameters that are out of range, to report them together. Not thread-safe. */
public final class Ranges {

    private final List<String> problems = new ArrayList<>();

    /** Notes a parameter that is not within these bounds, both included. */
    public Ranges check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            problems.add(option + " is " + value + ", expected " + min + " to " + max);
        }
        return this;
    }

    /** @throws IllegalArgumentException naming everything that is out of range */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }
}
