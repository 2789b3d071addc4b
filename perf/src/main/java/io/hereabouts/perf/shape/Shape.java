package io.hereabouts.perf.shape;

/** A curve with at most one slope, from the slowest growth to the fastest. */
public enum Shape {
    /** {@code y = a} */
    CONSTANT("constant"),
    /** {@code y = a + b · ln x} */
    LOGARITHMIC("logarithmic"),
    /** {@code y = a + b · x} */
    LINEAR("linear");

    private final String title;

    Shape(String title) {
        this.title = title;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** What y grows linearly with. */
    double of(double x) {
        return this == LOGARITHMIC ? Math.log(x) : x;
    }
}
