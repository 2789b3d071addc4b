package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.process.MachineUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of those that are compared, and all its rounds. For one thread. */
final class Alternative {

    /** What is measured of each. */
    private enum Figure {
        P50("p50", "ms"),
        P99("p99", "ms"),
        THROUGHPUT("throughput", "publications/s"),
        COPIES("copies sent to subscribers a publication", "copies"),
        CPU("CPU a publication", "µs"),
        BYTES("bytes between processes a publication", "bytes");

        final String title;
        final String unit;

        Figure(String title, String unit) {
            this.title = title;
            this.unit = unit;
        }
    }

    private final String name;
    private final Load load;
    private final List<Round> rounds = new ArrayList<>();
    /** A value for each round. */
    private final Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);

    Alternative(String name, Load load) {
        this.name = name;
        this.load = load;
    }

    String name() {
        return name;
    }

    void warmUp(AlternativesParameters parameters) throws MeasurementException, InterruptedException {
        if (parameters.warmUp() > 0) {
            rounds.add(load.asFastAsItGoes(parameters.window(), Duration.ofSeconds(parameters.warmUp())));
        }
    }

    Round atRate(AlternativesParameters parameters) throws InterruptedException {
        Round round = load.atRate(parameters.rate(), Duration.ofSeconds(parameters.seconds()));
        rounds.add(round);
        add(Figure.P50, round.millis(50));
        add(Figure.P99, round.millis(99));
        return round;
    }

    Round asFastAsItGoes(AlternativesParameters parameters) throws MeasurementException, InterruptedException {
        Optional<MachineUse> before = MachineUse.now();
        long thrownAway = load.thrownAway();
        Round round = load.asFastAsItGoes(parameters.window(), Duration.ofSeconds(parameters.seconds()));
        rounds.add(round);
        double published = Math.max(1, round.published());
        add(Figure.THROUGHPUT, round.rate());
        add(Figure.COPIES, (round.delivered() + load.thrownAway() - thrownAway) / published);
        Optional<MachineUse> after = MachineUse.now();
        if (before.isPresent() && after.isPresent()) {
            MachineUse use = after.get().since(before.get());
            add(Figure.CPU, use.cpuMillis() * 1e3 / published);
            add(Figure.BYTES, use.loopbackBytes() / published);
        }
        return round;
    }

    private void add(Figure of, double value) {
        values.computeIfAbsent(of, key -> new ArrayList<>()).add(value);
    }

    private Measurement measurement(Figure of) {
        return new Measurement(name + ": " + of.title, of.unit, values.getOrDefault(of, List.of()));
    }

    /** Adds its figures. */
    void report(Result.Builder result) {
        values.keySet().forEach(of -> result.figure(measurement(of)));
    }

    /** Adds the ratios of its figures to those of the other one. */
    void against(Alternative other, Result.Builder result) {
        values.keySet()
                .forEach(of -> result.figure(Measurement.ratio(
                        of.title + ", " + name + " ÷ " + other.name, measurement(of), other.measurement(of))));
    }

    /** Adds its books. */
    void book(Result.Builder result) {
        load.book(name, rounds, result);
    }
}
