package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Several guarantees that watch the same run, fed with the oracle's expectations. Thread-safe. */
public final class Guarantees {

    /** So many lines of each broken promise are shown. */
    private static final int SHOWN = 20;

    private final Function<Published, List<Expected>> expectations;
    private final List<Guarantee> guarantees;

    private Guarantees(Function<Published, List<Expected>> expectations, List<Guarantee> guarantees) {
        this.expectations = expectations;
        this.guarantees = List.copyOf(guarantees);
    }

    /** These guarantees, expectations by the oracle. */
    public static Guarantees watching(Oracle oracle, Guarantee... guarantees) {
        return new Guarantees(oracle::expect, List.of(guarantees));
    }

    /** See {@link Guarantee#publishing}. */
    public void publishing(Published publication) {
        List<Expected> expected = expectations.apply(publication);
        guarantees.forEach(g -> g.publishing(publication, expected));
    }

    /** See {@link Guarantee#acknowledged}. */
    public void acknowledged(String publication) {
        guarantees.forEach(g -> g.acknowledged(publication));
    }

    /** See {@link Guarantee#refused}. */
    public void refused(String publication) {
        guarantees.forEach(g -> g.refused(publication));
    }

    /** See {@link Guarantee#delivered}. */
    public void delivered(Delivered delivery) {
        guarantees.forEach(g -> g.delivered(delivery));
    }

    /** See {@link Guarantee#dropped}. */
    public void dropped(String publication, String client, String reason) {
        guarantees.forEach(g -> g.dropped(publication, client, reason));
    }

    /** What was broken, a line each, headed by the promise; empty if all held. */
    public List<String> violations() {
        List<String> lines = new ArrayList<>();
        for (Guarantee g : guarantees) {
            List<String> broken = g.violations();
            if (!broken.isEmpty()) {
                lines.add("BROKEN: " + g.promise() + " (" + broken.size() + ")");
                broken.stream().limit(SHOWN).forEach(line -> lines.add("  " + line));
                if (broken.size() > SHOWN) {
                    lines.add("  and " + (broken.size() - SHOWN) + " more");
                }
            }
        }
        return lines;
    }

    /** @throws AssertionError with all violations, if there are any */
    public void verify() {
        List<String> lines = violations();
        if (!lines.isEmpty()) {
            throw new AssertionError(String.join("\n", lines));
        }
    }
}
