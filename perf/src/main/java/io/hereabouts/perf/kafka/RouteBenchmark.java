package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.util.concurrent.ExecutionException;

/**
 * What routing costs: the router and an identity topology read the same publications in turn, under the same settings, in
 * this process; Kafka is in another. What is compared is the CPU time of the stream threads. For one thread.
 */
public final class RouteBenchmark {

    private static final double MOST_TIMES_IDENTITY = 1.5;

    private final RouteParameters parameters;
    private final Progress progress;
    private final KafkaConnection kafka;

    private RouteBenchmark(RouteParameters parameters, Progress progress, KafkaConnection kafka) {
        this.parameters = parameters;
        this.progress = progress;
        this.kafka = kafka;
    }

    /**
     * Measures; takes minutes with the default parameters.
     *
     * @throws MeasurementException if something did not start or stands still
     */
    public static Result run(RouteParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        OwnKafka.run("route", progress, kafka -> {
            RouteBenchmark benchmark = new RouteBenchmark(parameters, progress, kafka);
            for (RouteCase shape : parameters.cases()) {
                benchmark.run(shape, result);
            }
        });
        return result.note("fan-out 0: the entity is in a neighborhood, the topic filter does not match")
                .build();
    }

    private void run(RouteCase shape, Result.Builder result)
            throws MeasurementException, InterruptedException, ExecutionException {
        progress.line(shape.name() + ": writing " + shape.records(parameters.records()) + " publications");
        try (RouteBed bed = RouteBed.write(parameters, shape, shape.id(), kafka)) {
            Measurement ratio = RouteRound.takeTurns(
                    shape.name(),
                    parameters.rounds(),
                    "router",
                    bed::router,
                    "identity",
                    bed::identity,
                    progress,
                    result);
            if (shape.fanOut() == 1 && shape.neighborhoodsOfEntity() == 1) {
                result.target(Target.atMost(MOST_TIMES_IDENTITY, ratio));
            }
            bed.book(shape.name(), result);
        }
    }
}
