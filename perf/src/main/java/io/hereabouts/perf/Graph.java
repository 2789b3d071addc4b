package io.hereabouts.perf;

import java.util.List;

/**
 * Lines over a common axis.
 *
 * @param name of the files that it is drawn to, without ending
 * @param logX whether x is on a logarithmic scale, and then positive
 * @param logY the same of y
 */
public record Graph(
        String name, String title, String xLabel, String yLabel, boolean logX, boolean logY, List<Line> lines) {

    public Graph {
        lines = List.copyOf(lines);
    }

    /**
     * One of the lines.
     *
     * @param x ascending
     * @param y as many
     */
    public record Line(String name, List<Double> x, List<Double> y) {
        public Line {
            x = List.copyOf(x);
            y = List.copyOf(y);
            if (x.isEmpty() || x.size() != y.size()) {
                throw new IllegalArgumentException(name + " has " + x.size() + " x and " + y.size() + " y");
            }
        }
    }
}
