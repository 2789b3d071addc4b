package io.hereabouts.perf;

/**
 * What a figure should be at most.
 *
 * @param of the figure
 * @param limit the largest value that is still good
 * @param measured the median over the rounds
 */
public record Target(String of, String unit, double limit, double measured) {

    /** The target for the median of this figure. */
    public static Target atMost(double limit, Measurement figure) {
        return new Target(figure.of(), figure.unit(), limit, figure.median());
    }

    /** Whether the measured value is good. Not a number is not. */
    public boolean met() {
        return measured <= limit;
    }
}
