package io.hereabouts.perf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Two results of one scenario, an earlier one and a later one. Worse is: a figure with a target that grew beyond the
 * tolerance or is gone, and books that do not balance. Immutable.
 */
public final class Comparison {

    private final Result before;
    private final Result after;
    private final double tolerance;

    private Comparison(Result before, Result after, double tolerance) {
        this.before = before;
        this.after = after;
        this.tolerance = tolerance;
    }

    /**
     * @param tolerance how many times the earlier value a figure with a target may be, at least 1
     * @throws IllegalArgumentException if the results are of different scenarios
     */
    public static Comparison of(Result before, Result after, double tolerance) {
        String a = before.scenario().name();
        String b = after.scenario().name();
        if (!a.equals(b)) {
            throw new IllegalArgumentException("perf " + a + " cannot be compared with perf " + b);
        }
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("--tolerance is " + tolerance + ", expected at least 1");
        }
        return new Comparison(before, after, tolerance);
    }

    /** What became worse, a line each. */
    public List<String> worse() {
        List<String> worse = new ArrayList<>();
        if (!after.balances()) {
            worse.add("the books do not balance");
        }
        Map<String, Target> now = new LinkedHashMap<>();
        after.targets().forEach(target -> now.put(target.of(), target));
        for (Target then : before.targets()) {
            Target target = now.get(then.of());
            if (target == null) {
                worse.add(then.of() + " is gone");
            } else if (!(target.measured() <= then.measured() * tolerance)) {
                worse.add("%s: %s instead of %s %s"
                        .formatted(
                                then.of(),
                                Report.number(target.measured()),
                                Report.number(then.measured()),
                                then.unit()));
            }
        }
        return worse;
    }

    /** A line for each figure, where the runs differ, and what became worse. */
    public String text() {
        StringBuilder text = new StringBuilder();
        differences().forEach(line -> Report.line(text, "%s", line));
        Map<String, Measurement> now = new LinkedHashMap<>();
        after.figures().forEach(figure -> now.put(figure.of(), figure));
        int width = before.figures().stream()
                .mapToInt(figure -> figure.of().length())
                .max()
                .orElse(0);
        String row = "%-" + Math.max(width, 6) + "s %11s %11s %8s  %s";
        Report.line(text, row, "figure", "before", "after", "ratio", "unit");
        for (Measurement then : before.figures()) {
            Measurement figure = now.remove(then.of());
            Report.line(
                    text,
                    row,
                    then.of(),
                    Report.number(then.median()),
                    figure == null ? "-" : Report.number(figure.median()),
                    figure == null ? "-" : Report.number(figure.median() / then.median()),
                    then.unit());
        }
        now.values()
                .forEach(figure ->
                        Report.line(text, row, figure.of(), "-", Report.number(figure.median()), "-", figure.unit()));
        List<String> worse = worse();
        worse.forEach(line -> Report.line(text, "WORSE %s", line));
        if (worse.isEmpty()) {
            Report.line(
                    text,
                    "nothing that has a target is more than %s times what it was; the books balance",
                    Report.number(tolerance));
        }
        return text.toString();
    }

    /** Where scenario and environment differ, a line each: then ratios compare these, too. */
    public List<String> differences() {
        List<String> differences = new ArrayList<>();
        Environment a = before.environment();
        Environment b = after.environment();
        differ(differences, "cpu", a.cpu(), b.cpu());
        differ(differences, "cores", a.cores(), b.cores());
        differ(differences, "jdk", a.jdk(), b.jdk());
        differ(differences, "os", a.os(), b.os());
        if (Math.max(a.load(), b.load()) > 1.5 * Math.max(1, Math.min(a.load(), b.load()))) {
            differ(differences, "load", a.load(), b.load());
        }
        differ(differences, "seed", before.scenario().seed(), after.scenario().seed());
        Map<String, String> then = before.scenario().parameters();
        Map<String, String> now = after.scenario().parameters();
        then.forEach((key, value) -> differ(differences, key, value, now.get(key)));
        now.forEach((key, value) -> {
            if (!then.containsKey(key)) {
                differ(differences, key, null, value);
            }
        });
        return differences;
    }

    private static void differ(List<String> into, String what, @Nullable Object then, @Nullable Object now) {
        if (!Objects.equals(then, now)) {
            into.add("DIFFERENT " + what + ": " + then + " before, " + now + " after");
        }
    }
}
