package io.hereabouts.perf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A quick look whether anything became much slower: ratios of small runs against those of an earlier one. Only ratios
 * count, each the best round of the candidate ÷ the best of its baseline: what else runs on the machine makes rounds slower,
 * never faster. A part with a ratio beyond the tolerance is run again, and the best ratio counts, before it is called worse.
 */
public final class Smoke {

    private static final String NAME = "smoke";

    private Smoke() {}

    /** Runs a measurement. */
    @FunctionalInterface
    public interface Run {
        Result now() throws MeasurementException, InterruptedException;
    }

    /**
     * What is compared.
     *
     * @param of name of the ratio
     * @param candidate a figure
     * @param baseline another one; empty: the candidate's value itself is compared
     * @param limit the largest that is good at all
     */
    public record Ratio(String of, String candidate, String baseline, double limit) {

        private double best(Result result) {
            return best(result, candidate) / (baseline.isEmpty() ? 1 : best(result, baseline));
        }

        private static double best(Result result, String of) {
            return result.figures().stream()
                    .filter(figure -> figure.of().equals(of))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no figure '" + of + "'"))
                    .min();
        }
    }

    /** A measurement and what is compared of it. */
    public record Part(String name, Run run, List<Ratio> ratios) {}

    /**
     * Runs all parts.
     *
     * @param attempts how often a part is run at most, at least 1
     * @return a result whose targets are the ratios, and whose books are those of all runs
     */
    public static Result run(List<Part> parts, Result before, double tolerance, int attempts, Progress progress)
            throws MeasurementException, InterruptedException {
        Map<String, Double> limits = new TreeMap<>();
        before.targets().forEach(target -> limits.put(target.of(), target.measured() * tolerance));
        Map<String, String> parameters = new LinkedHashMap<>();
        parts.forEach(part -> parameters.put(part.name(), "small"));
        Result.Builder result = Result.of(new Scenario(NAME, before.scenario().seed(), parameters));
        for (Part part : parts) {
            List<Double> best = new ArrayList<>();
            part.ratios().forEach(ratio -> best.add(Double.POSITIVE_INFINITY));
            for (int attempt = 1; attempt <= attempts && (attempt == 1 || isWorse(part, best, limits)); attempt++) {
                progress.line(part.name() + (attempt == 1 ? "" : ", again"));
                Result run = part.run().now();
                String prefix = part.name() + (attempt == 1 ? "" : " " + attempt) + ", ";
                run.books().forEach(book -> result.book(prefix + book.of(), book.expected(), book.actual()));
                for (int i = 0; i < best.size(); i++) {
                    best.set(i, Math.min(best.get(i), part.ratios().get(i).best(run)));
                }
            }
            for (int i = 0; i < best.size(); i++) {
                Ratio ratio = part.ratios().get(i);
                Measurement figure =
                        new Measurement(ratio.of(), ratio.baseline().isEmpty() ? "bytes" : "×", List.of(best.get(i)));
                result.figure(figure).target(Target.atMost(ratio.limit(), figure));
            }
        }
        return result.build();
    }

    private static boolean isWorse(Part part, List<Double> best, Map<String, Double> limits) {
        for (int i = 0; i < best.size(); i++) {
            // what was not measured before has nothing to be worse than
            if (best.get(i) > limits.getOrDefault(part.ratios().get(i).of(), Double.MAX_VALUE)) {
                return true;
            }
        }
        return false;
    }
}
