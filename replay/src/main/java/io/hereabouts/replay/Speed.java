package io.hereabouts.replay;

/**
 * How fast event time passes: as fast as it goes, or so many times as fast as it did. Immutable.
 *
 * @param factor above 0; infinite for {@link #MAX}
 */
public record Speed(double factor) {

    /** Without waiting. */
    public static final Speed MAX = new Speed(Double.POSITIVE_INFINITY);

    public Speed {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("speed is " + factor + ", expected 'max' or a number above 0");
        }
    }

    /**
     * Reads {@code max}, or a factor such as {@code 1}, {@code 3600} or {@code 0.5}.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static Speed parse(String text) {
        if (text.equalsIgnoreCase("max")) {
            return MAX;
        }
        try {
            double factor = Double.parseDouble(text);
            if (factor > 0 && Double.isFinite(factor)) {
                return new Speed(factor);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("speed is '" + text + "', expected 'max' or a number above 0");
    }

    /** True if nothing waits. */
    public boolean isMax() {
        return Double.isInfinite(factor);
    }

    @Override
    public String toString() {
        return isMax() ? "max" : String.valueOf(factor);
    }
}
