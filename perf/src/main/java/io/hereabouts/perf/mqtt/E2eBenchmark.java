package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The whole way of a publication, from MQTT client through Kafka and the router to MQTT clients, against the same
 * clients on a broker without Hereabouts, in turn.
 */
public final class E2eBenchmark {

    private static final String STACK = "stack";
    private static final String PLAIN = "plain";
    private static final double MOST_TIMES_PLAIN = 3;
    private static final double MOST_MILLIS = 3;
    private static final int TARGET_RATE = 1_000;

    private final E2eParameters parameters;
    private final Progress progress;
    private final Side stack;
    private final Side plain;

    /** One of the two that are compared, and all its rounds. */
    private static final class Side {
        final String name;
        final Load load;
        final Supplier<Optional<Duration>> cpu;
        final List<Round> all = new ArrayList<>();
        final List<Round> latency = new ArrayList<>();
        final List<Round> throughput = new ArrayList<>();
        final List<Double> cpuMicros = new ArrayList<>();

        Side(String name, Load load, Supplier<Optional<Duration>> cpu) {
            this.name = name;
            this.load = load;
            this.cpu = cpu;
        }

        Round asFastAsItGoes(int window, Duration length) throws MeasurementException, InterruptedException {
            Duration before = cpu.get().orElse(Duration.ZERO);
            Round round = load.asFastAsItGoes(window, length);
            throughput.add(round);
            cpu.get()
                    .ifPresent(
                            now -> cpuMicros.add(now.minus(before).toNanos() / 1e3 / Math.max(1, round.published())));
            return round;
        }

        void book(Result.Builder result) {
            all.addAll(latency);
            all.addAll(throughput);
            load.book(name, all, result);
        }

        Measurement figure(String of, String unit, List<Round> rounds, ToDoubleFunction<Round> value) {
            return new Measurement(
                    name + ": " + of,
                    unit,
                    rounds.stream().map(value::applyAsDouble).toList());
        }
    }

    private E2eBenchmark(E2eParameters parameters, Progress progress, TestBed bed, Load stack, Load plain) {
        this.parameters = parameters;
        this.progress = progress;
        this.stack = new Side(STACK, stack, bed::stackCpu);
        this.plain = new Side(PLAIN, plain, bed::plainCpu);
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if something did not start, refused or stands still
     */
    public static Result run(E2eParameters parameters, StackChoice choice, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(choice));
        long run = RunIds.fresh();
        String name = "perf/" + HexFormat.of().toHexDigits(run);
        try (TestBed bed = TestBed.open(choice, progress)) {
            MqttAddress plainBroker = plainBroker(choice, bed, result);
            progress.line("adding " + parameters.entities() + " entities, ids " + name + "/…");
            try (TinyWorld world = TinyWorld.add(bed, name, parameters.entities());
                    Load stack = Load.open(
                            bed.edge(), plan(parameters, run, name + "/spatial", world, world.descriptor(0)));
                    Load plain = Load.open(plainBroker, plan(parameters, run, name + "/plain", world, null))) {
                new E2eBenchmark(parameters, progress, bed, stack, plain).run(result);
            }
        }
        return result.build();
    }

    private static MqttAddress plainBroker(StackChoice choice, TestBed bed, Result.Builder result)
            throws MeasurementException {
        if (choice.plain() != null) {
            return choice.plain();
        }
        if (choice.mqtt() == null) {
            result.note("both brokers keep sessions in "
                    + bed.persistence().name().toLowerCase(Locale.ROOT) + " (mqtt.persistence)");
            return bed.plainBroker();
        }
        result.note("plain: no plain broker was named, so these are messages without entity on the stack's own edge");
        return choice.mqtt();
    }

    private static Load.Plan plan(
            E2eParameters parameters, long run, String prefix, TinyWorld world, @Nullable String descriptor) {
        return new Load.Plan(
                run,
                prefix,
                world.detectors(),
                descriptor != null,
                Collections.nCopies(
                        parameters.subscribers(),
                        new Load.Subscriber(List.of(prefix + "/#"), descriptor, entity -> true, false)),
                parameters.qos(),
                parameters.payload(),
                parameters.seed());
    }

    private void run(Result.Builder result) throws MeasurementException, InterruptedException {
        List<Side> sides = List.of(stack, plain);
        Duration length = Duration.ofSeconds(parameters.seconds());
        if (parameters.warmUp() > 0) {
            for (Side side : sides) {
                progress.line("warm-up: " + side.name);
                side.all.add(side.load.asFastAsItGoes(parameters.window(), Duration.ofSeconds(parameters.warmUp())));
            }
        }
        for (int r = 1; r <= parameters.rounds(); r++) {
            for (Side side : sides) {
                Round round = side.load.atRate(parameters.rate(), length);
                side.latency.add(round);
                progress.line(String.format(
                        Locale.ROOT,
                        "latency, round %d of %d, %s: p50 %.2f ms, p99 %.2f ms",
                        r,
                        parameters.rounds(),
                        side.name,
                        round.millis(50),
                        round.millis(99)));
            }
        }
        for (int r = 1; r <= parameters.rounds(); r++) {
            for (Side side : sides) {
                Round round = side.asFastAsItGoes(parameters.window(), length);
                progress.line(String.format(
                        Locale.ROOT,
                        "throughput, round %d of %d, %s: %.0f/s",
                        r,
                        parameters.rounds(),
                        side.name,
                        round.rate()));
            }
        }
        report(result);
    }

    private void report(Result.Builder result) {
        Measurement p50 = latency(result, 50, "p50");
        Measurement ratio = latencyRatio(result, 50, "p50");
        latency(result, 99, "p99");
        latencyRatio(result, 99, "p99");
        latency(result, 100, "max");
        for (Side side : List.of(stack, plain)) {
            result.figure(side.figure("achieved rate", "publications/s", side.latency, Round::rate));
        }
        Measurement fast = stack.figure("throughput", "publications/s", stack.throughput, Round::rate);
        Measurement plainFast = plain.figure("throughput", "publications/s", plain.throughput, Round::rate);
        result.figure(fast)
                .figure(plainFast)
                .figure(Measurement.ratio("throughput, stack ÷ plain", fast, plainFast))
                .note("latency: from when a message was due to its arrival at each subscriber; open loop at "
                        + parameters.rate() + "/s")
                .note("throughput: closed loop, " + parameters.window() + " publications on their way");
        if (!stack.cpuMicros.isEmpty() && !plain.cpuMicros.isEmpty()) {
            Measurement ours = new Measurement(STACK + ": CPU of the process a publication", "µs", stack.cpuMicros);
            Measurement theirs = new Measurement(PLAIN + ": CPU of the process a publication", "µs", plain.cpuMicros);
            result.figure(ours).figure(theirs).figure(Measurement.ratio("CPU, stack ÷ plain", ours, theirs));
        }
        stack.book(result);
        plain.book(result);
        if (parameters.rate() == TARGET_RATE) {
            result.target(Target.atMost(MOST_TIMES_PLAIN, ratio)).target(Target.atMost(MOST_MILLIS, p50));
        }
    }

    /** The stack's figure, after both are in the result. */
    private Measurement latency(Result.Builder result, double percentile, String label) {
        Measurement ours = stack.figure(label, "ms", stack.latency, round -> round.millis(percentile));
        result.figure(ours).figure(plain.figure(label, "ms", plain.latency, round -> round.millis(percentile)));
        return ours;
    }

    private Measurement latencyRatio(Result.Builder result, double percentile, String label) {
        Measurement ratio = Measurement.ratio(
                label + ", stack ÷ plain",
                stack.figure(label, "ms", stack.latency, round -> round.millis(percentile)),
                plain.figure(label, "ms", plain.latency, round -> round.millis(percentile)));
        result.figure(ratio);
        return ratio;
    }
}
