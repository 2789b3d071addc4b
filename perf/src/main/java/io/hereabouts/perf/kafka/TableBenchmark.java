package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The router against a {@code KTable} with set values, in turn, over the same publications. No state. */
public final class TableBenchmark {

    private TableBenchmark() {}

    /**
     * Adds figures and books.
     *
     * @throws MeasurementException if something did not start or stands still
     */
    public static void run(RouteParameters parameters, Progress progress, Result.Builder result)
            throws MeasurementException, InterruptedException {
        OwnKafka.run("alternatives", progress, kafka -> {
            for (RouteCase shape : RouteCase.ALL) {
                if (shape.fanOut() == 1) {
                    try (RouteBed bed = RouteBed.writeWithSets(parameters, shape, kafka)) {
                        run(parameters, shape, bed, progress, result);
                    }
                }
            }
        });
    }

    private static void run(
            RouteParameters parameters, RouteCase shape, RouteBed bed, Progress progress, Result.Builder result)
            throws MeasurementException, InterruptedException, ExecutionException {
        var unused = RouteRound.takeTurns(
                shape.name(), parameters.rounds(), "router", bed::router, "KTable", bed::table, progress, result);
        Measurement filters = bytes(shape.name() + ": filters in Kafka", bed.filterBytes());
        Measurement sets = bytes(shape.name() + ": sets in Kafka", bed.setBytes());
        result.figure(filters)
                .figure(sets)
                .figure(Measurement.ratio(shape.name() + ": in Kafka, filters ÷ sets", filters, sets));
        bed.book(shape.name(), result);
    }

    private static Measurement bytes(String of, long bytes) {
        return new Measurement(of, "bytes", List.of((double) bytes));
    }
}
