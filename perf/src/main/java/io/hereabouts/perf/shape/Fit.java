package io.hereabouts.perf.shape;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * A curve fitted to points by least squares. Which of several explains the points best is decided by Akaike's information
 * criterion, corrected for few points: the better fit of a slope counts only as far as chance would not give it, too.
 *
 * <p>What is measured has an error of its own that no repetition on one machine shows (caches, clock, other processes).
 * It is put in as {@value #OWN_ERROR} of the mean: a slope that changes less over all x is no slope. Immutable.
 *
 * @param aic smaller is better
 * @param slope b of the {@link Shape}; 0 for a constant
 */
public record Fit(Shape shape, double intercept, double slope, double aic) {

    /** Part of the mean of y that is taken for error in any case. */
    static final double OWN_ERROR = 0.1;

    private static final int MIN_POINTS = 6;

    /** A measured point; x is positive. */
    public record Point(double x, double y) {}

    /**
     * The curve that explains the points best. One that falls is a constant here: what becomes faster with x does not grow.
     *
     * @param points of at least three x, at least six in all
     */
    public static Fit best(List<Point> points) {
        if (points.size() < MIN_POINTS
                || points.stream().map(Point::x).distinct().count() < 3) {
            throw new IllegalArgumentException(points.size() + " points are too few to tell a curve from another");
        }
        return Stream.of(Shape.values())
                .map(shape -> of(shape, points))
                .filter(fit -> fit.slope >= 0)
                .min(Comparator.comparingDouble(Fit::aic))
                .orElseThrow();
    }

    private static Fit of(Shape shape, List<Point> points) {
        int n = points.size();
        double mean = points.stream().mapToDouble(Point::y).average().orElseThrow();
        SimpleRegression regression = new SimpleRegression();
        points.forEach(p -> regression.addData(shape.of(p.x), p.y));
        boolean constant = shape == Shape.CONSTANT;
        double squares = constant ? regression.getTotalSumSquares() : regression.getSumSquaredErrors();
        double error = squares / n + OWN_ERROR * OWN_ERROR * mean * mean;
        int unknowns = constant ? 2 : 3;
        double aic = n * Math.log(error) + 2.0 * unknowns + 2.0 * unknowns * (unknowns + 1) / (n - unknowns - 1);
        return constant
                ? new Fit(shape, mean, 0, aic)
                : new Fit(shape, regression.getIntercept(), regression.getSlope(), aic);
    }

    /** The curve at x. */
    public double at(double x) {
        return shape == Shape.CONSTANT ? intercept : intercept + slope * shape.of(x);
    }
}
