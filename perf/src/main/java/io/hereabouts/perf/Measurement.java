package io.hereabouts.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * One figure, with its value in each round. What is reported is the median; the smallest and the largest say how far to
 * trust it.
 *
 * @param of what it is the figure of
 * @param unit of the values; {@code ×} for a ratio
 * @param rounds one value for each round, in order; at least one
 */
public record Measurement(String of, String unit, List<Double> rounds) {

    public Measurement {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException(of + " has no rounds");
        }
        rounds = List.copyOf(rounds);
    }

    /**
     * Candidate ÷ baseline, round by round: what disturbs the machine for longer than a round then disturbs both.
     *
     * @throws IllegalArgumentException if they have not the same number of rounds
     */
    public static Measurement ratio(String of, Measurement candidate, Measurement baseline) {
        if (candidate.rounds.size() != baseline.rounds.size()) {
            throw new IllegalArgumentException(
                    of + ": " + candidate.rounds.size() + " rounds against " + baseline.rounds.size());
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < candidate.rounds.size(); i++) {
            ratios.add(candidate.rounds.get(i) / baseline.rounds.get(i));
        }
        return new Measurement(of, "×", ratios);
    }

    /** The middle value; of an even number of rounds the mean of the two in the middle. */
    public double median() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The smallest value. */
    public double min() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** The largest value. */
    public double max() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
