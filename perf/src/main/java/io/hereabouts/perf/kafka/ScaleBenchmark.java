package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Graph;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;

/**
 * How the router grows: what a publication costs with more partitions, edges and neighborhoods, step after step in turn; and
 * how routers that come one after the other share the work. For one thread.
 */
public final class ScaleBenchmark {

    private static final double FLAT = 1.1;

    private final ScaleParameters parameters;
    private final Progress progress;
    private final KafkaConnection kafka;
    private final Result.Builder result;

    private ScaleBenchmark(
            ScaleParameters parameters, Progress progress, KafkaConnection kafka, Result.Builder result) {
        this.parameters = parameters;
        this.progress = progress;
        this.kafka = kafka;
        this.result = result;
    }

    /**
     * Measures; takes minutes with the default parameters.
     *
     * @throws MeasurementException if something did not start or stands still
     */
    public static Result run(ScaleParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        OwnKafka.run("scale", progress, kafka -> {
            ScaleBenchmark benchmark = new ScaleBenchmark(parameters, progress, kafka, result);
            for (Measurement cpu : benchmark.grow(
                    "partitions",
                    parameters.partitions(),
                    n -> new Step(parameters.withPartitions(n), oneDelivery("p" + n, 1)))) {
                result.target(Target.atMost(FLAT, cpu));
            }
            benchmark.grow(
                    "edges",
                    parameters.edges(),
                    n -> new Step(parameters.withPartitions(ScaleParameters.PARTITIONS), oneDelivery("e" + n, n)));
            benchmark.grow(
                    "neighborhoods",
                    parameters.neighborhoods(),
                    n -> new Step(parameters.withNeighborhoods(n), oneDelivery("n" + n, 1)));
            new ScaleInstances(parameters, progress, kafka).measure(result);
        });
        return result.note("edges: each publication goes to all of them").build();
    }

    private static RouteCase oneDelivery(String id, int edges) {
        return new RouteCase(id, id, edges, 1, true);
    }

    private record Step(RouteParameters parameters, RouteCase shape) {}

    /** CPU time of a publication in each later step ÷ the first one. */
    private List<Measurement> grow(String dimension, List<Integer> sizes, IntFunction<Step> steps)
            throws MeasurementException, InterruptedException, ExecutionException {
        List<RouteBed> beds = new ArrayList<>();
        try {
            for (int size : sizes) {
                progress.line(dimension + " " + size + ": writing");
                Step step = steps.apply(size);
                beds.add(RouteBed.write(
                        step.parameters(), step.shape(), step.shape().id(), kafka));
            }
            List<List<RouteRound>> rounds = rounds(dimension, sizes, beds);
            for (int i = 0; i < beds.size(); i++) {
                beds.get(i).book(dimension + " " + sizes.get(i), result);
            }
            return report(dimension, sizes, rounds);
        } finally {
            beds.forEach(RouteBed::close);
        }
    }

    /** All steps take turns, so that what disturbs the machine meets all of them. */
    private List<List<RouteRound>> rounds(String dimension, List<Integer> sizes, List<RouteBed> beds)
            throws MeasurementException, InterruptedException {
        List<List<RouteRound>> rounds = new ArrayList<>();
        beds.forEach(bed -> rounds.add(new ArrayList<>()));
        for (int round = 0; round <= parameters.rounds(); round++) {
            for (int i = 0; i < beds.size(); i++) {
                RouteRound figures = beds.get(i).router();
                progress.line(String.format(
                        Locale.ROOT,
                        "%s %d, %s: %.2f µs, %,.0f/s",
                        dimension,
                        sizes.get(i),
                        round == 0 ? "warm-up" : "round " + round + " of " + parameters.rounds(),
                        figures.cpuMicros(),
                        figures.recordsPerSecond()));
                if (round > 0) {
                    rounds.get(i).add(figures);
                }
            }
        }
        return rounds;
    }

    private List<Measurement> report(String dimension, List<Integer> sizes, List<List<RouteRound>> rounds) {
        List<Measurement> ratios = new ArrayList<>();
        List<Double> perCore = new ArrayList<>();
        Measurement first = null;
        for (int i = 0; i < rounds.size(); i++) {
            String step = dimension + " " + sizes.get(i) + ":";
            Measurement cpu = RouteRound.cpu(step, rounds.get(i));
            result.figure(cpu).figure(RouteRound.rate(step, rounds.get(i)));
            perCore.add(1e6 / cpu.median());
            if (first == null) {
                first = cpu;
            } else {
                Measurement ratio = Measurement.ratio(step + " CPU ÷ " + dimension + " " + sizes.get(0), cpu, first);
                result.figure(ratio);
                ratios.add(ratio);
            }
        }
        if (!sizes.isEmpty()) {
            List<Double> x = sizes.stream().map(Integer::doubleValue).toList();
            result.graph(new Graph(
                    dimension,
                    "Publications a second and core of stream thread",
                    dimension,
                    "records/s",
                    true,
                    false,
                    List.of(new Graph.Line("router", x, perCore))));
        }
        return ratios;
    }
}
