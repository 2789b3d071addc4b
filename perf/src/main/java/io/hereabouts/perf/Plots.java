package io.hereabouts.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws a result as SVG and PNG: its graphs, or where it has none a bar for each figure, by unit. Needs no display. No
 * state.
 */
public final class Plots {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 540;

    private Plots() {}

    /** Writes {@code perf-<scenario>-….svg} and {@code .png} into this folder, which is made if it is missing. */
    public static void write(Result result, Path folder) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(folder);
        String prefix = "perf-" + result.scenario().name().replace(' ', '-') + "-";
        for (Graph graph : result.graphs()) {
            save(lines(graph), folder.resolve(prefix + graph.name()));
        }
        if (result.graphs().isEmpty()) {
            Map<String, CategoryChart> charts = bars(result);
            int number = 1;
            for (CategoryChart chart : charts.values()) {
                save(chart, folder.resolve(prefix + number++));
            }
        }
    }

    private static void save(Chart<?, ?> chart, Path path) throws IOException {
        BitmapEncoder.saveBitmap(chart, path.toString(), BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, path.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }

    private static XYChart lines(Graph graph) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(graph.title())
                .xAxisTitle(graph.xLabel())
                .yAxisTitle(graph.yLabel())
                .build();
        chart.getStyler().setXAxisLogarithmic(graph.logX());
        chart.getStyler().setYAxisLogarithmic(graph.logY());
        chart.getStyler().setLocale(Locale.ROOT);
        if (!graph.logY()) {
            chart.getStyler().setYAxisMin(0.0);
        }
        for (Graph.Line line : graph.lines()) {
            chart.addSeries(line.name(), line.x(), line.y());
        }
        return chart;
    }

    /** A chart for each unit, with a bar for each figure: its median, and from its smallest value to its largest. */
    private static Map<String, CategoryChart> bars(Result result) {
        Map<String, CategoryChart> charts = new LinkedHashMap<>();
        for (Measurement figure : result.figures()) {
            CategoryChart chart = charts.computeIfAbsent(figure.unit(), unit -> bars(result, unit));
            double most = Math.max(figure.max() - figure.median(), figure.median() - figure.min());
            chart.addSeries(figure.of(), List.of(result.scenario().name()), List.of(figure.median()), List.of(most));
        }
        return charts;
    }

    private static CategoryChart bars(Result result, String unit) {
        long count = result.figures().stream()
                .filter(figure -> figure.unit().equals(unit))
                .count();
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height((int) Math.max(HEIGHT, 60 + 20 * count))
                .title("perf " + result.scenario().name())
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setLocale(Locale.ROOT);
        return chart;
    }
}
