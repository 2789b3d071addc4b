package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The latency of clients that do nothing wrong while others of the same edge publish at full speed, do not read, or are
 * very many, against the same clients while nobody disturbs them, in turn.
 */
public final class FloodBenchmark {

    private static final int ENTITIES = 20;
    private static final String QUIET = "quiet";

    /** What goes on beside a round. */
    @FunctionalInterface
    private interface Disturbance {
        /** Returns soon after it is not to go on, when nothing of it is under way. */
        void run(BooleanSupplier goesOn) throws InterruptedException;
    }

    private final FloodParameters parameters;
    private final Progress progress;
    private final Load measured;
    private final Map<String, Disturbance> disturbances = new LinkedHashMap<>();
    private final Map<String, List<Round>> rounds = new LinkedHashMap<>();
    private final List<Round> ofCrowd = new ArrayList<>();

    private FloodBenchmark(
            FloodParameters parameters, Progress progress, Load measured, Flood flood, Flood stalled, Load crowd) {
        this.parameters = parameters;
        this.progress = progress;
        this.measured = measured;
        disturbances.put(QUIET, goesOn -> {});
        disturbances.put("a publisher at full speed", flood::run);
        disturbances.put("the same to a subscriber that does not acknowledge", stalled::run);
        disturbances.put("a crowd of " + parameters.crowd(), goesOn -> ofCrowd.add(crowd.atRate(1, length())));
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if something did not start, refused or stands still
     */
    public static Result run(FloodParameters parameters, StackChoice choice, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(choice));
        long run = RunIds.fresh();
        String name = "perf/" + HexFormat.of().toHexDigits(run);
        try (TestBed bed = TestBed.open(choice, progress);
                TinyWorld world = TinyWorld.add(bed, name, ENTITIES);
                TinyWorld flooded = TinyWorld.add(bed, name + "/flooded", 1);
                TinyWorld crowded = TinyWorld.add(bed, name + "/crowded", 1)) {
            MqttAddress edge = bed.edge();
            try (Load measured = Load.open(
                            edge, plan(parameters, run, name + "/measured", world, parameters.subscribers()));
                    Flood flood = flood(parameters, edge, name + "/flood", flooded, true);
                    Flood stalled = flood(parameters, edge, name + "/stalled", flooded, false);
                    Load crowd = crowd(parameters, progress, edge, run, name, crowded)) {
                FloodBenchmark benchmark = new FloodBenchmark(parameters, progress, measured, flood, stalled, crowd);
                benchmark.run();
                benchmark.report(result, crowd);
                result.note("the publisher at full speed: " + flood.taken() + " messages acknowledged, "
                                + flood.received()
                                + " came to its subscriber; the edge drops what is too much for one client")
                        .note("for a subscriber that acknowledges nothing: " + stalled.taken()
                                + " messages acknowledged");
            }
        }
        return result.build();
    }

    private static Flood flood(
            FloodParameters parameters, MqttAddress edge, String topic, TinyWorld world, boolean reads)
            throws MeasurementException, InterruptedException {
        return Flood.open(edge, topic, world, reads, parameters.window(), parameters.payload());
    }

    private static Load crowd(
            FloodParameters parameters, Progress progress, MqttAddress edge, long run, String name, TinyWorld world)
            throws MeasurementException, InterruptedException {
        progress.line("connecting a crowd of " + parameters.crowd());
        return Load.open(edge, plan(parameters, run, name + "/crowd", world, parameters.crowd()));
    }

    private static Load.Plan plan(
            FloodParameters parameters, long run, String prefix, TinyWorld world, int subscribers) {
        return new Load.Plan(
                run,
                prefix,
                world.detectors(),
                true,
                Collections.nCopies(
                        subscribers,
                        new Load.Subscriber(List.of(prefix + "/#"), world.descriptor(0), entity -> true, false)),
                1,
                Note.BYTES,
                parameters.seed());
    }

    private Duration length() {
        return Duration.ofSeconds(parameters.seconds());
    }

    private void run() throws MeasurementException, InterruptedException {
        if (parameters.warmUp() > 0) {
            progress.line("warm-up");
            keep("warm-up", measured.asFastAsItGoes(parameters.window(), Duration.ofSeconds(parameters.warmUp())));
        }
        for (int r = 1; r <= parameters.rounds(); r++) {
            for (Map.Entry<String, Disturbance> each : disturbances.entrySet()) {
                Round round = beside(each.getValue());
                keep(each.getKey(), round);
                progress.line(String.format(
                        Locale.ROOT,
                        "round %d of %d, %s: p50 %.2f ms, p99 %.2f ms",
                        r,
                        parameters.rounds(),
                        each.getKey(),
                        round.millis(50),
                        round.millis(99)));
            }
        }
    }

    private void keep(String name, Round round) {
        rounds.computeIfAbsent(name, n -> new ArrayList<>()).add(round);
    }

    /** A round of the clients that are measured, while something else goes on. */
    private Round beside(Disturbance disturbance) throws MeasurementException, InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> task = new FutureTask<>(() -> {
            disturbance.run(() -> !over.get());
            return null;
        });
        Thread thread = new Thread(task, "perf-flood");
        thread.setDaemon(true);
        thread.start();
        try {
            Round round = measured.atRate(parameters.rate(), length());
            over.set(true);
            task.get();
            return round;
        } catch (ExecutionException e) {
            throw new MeasurementException("what was to disturb failed", e.getCause() == null ? e : e.getCause());
        } finally {
            task.cancel(true);
        }
    }

    private void report(Result.Builder result, Load crowd) {
        List<Round> quiet = rounds.getOrDefault(QUIET, List.of());
        for (double percentile : List.of(50d, 99d)) {
            String label = "p" + (int) percentile;
            Measurement baseline = latency(label + ", " + QUIET, quiet, percentile);
            result.figure(baseline);
            disturbances.keySet().stream().filter(name -> !name.equals(QUIET)).forEach(name -> {
                Measurement disturbed = latency(label + ", " + name, rounds.getOrDefault(name, List.of()), percentile);
                result.figure(disturbed)
                        .figure(Measurement.ratio(label + ", " + name + " ÷ quiet", disturbed, baseline));
            });
        }
        result.figure(latency("crowd: p50", ofCrowd, 50)).figure(latency("crowd: p99", ofCrowd, 99));
        measured.book("measured", rounds.values().stream().flatMap(List::stream).toList(), result);
        crowd.book("crowd", ofCrowd, result);
    }

    private static Measurement latency(String of, List<Round> rounds, double percentile) {
        return new Measurement(
                of, "ms", rounds.stream().map(round -> round.millis(percentile)).toList());
    }
}
