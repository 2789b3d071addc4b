package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.process.MachineUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of those that are compared, and all its rounds. For one thread. */
final class Alternative {

    private final String name;
    private final Load load;
    private final List<Round> rounds = new ArrayList<>();
    /** By what it is the figure of, with unit; a value for each round. */
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

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
        add("p50, ms", round.latencies().getValueAtPercentile(50) / 1e3);
        add("p99, ms", round.latencies().getValueAtPercentile(99) / 1e3);
        return round;
    }

    Round asFastAsItGoes(AlternativesParameters parameters) throws MeasurementException, InterruptedException {
        Optional<MachineUse> before = MachineUse.now();
        long thrownAway = load.thrownAway();
        Round round = load.asFastAsItGoes(parameters.window(), Duration.ofSeconds(parameters.seconds()));
        rounds.add(round);
        double published = Math.max(1, round.published());
        add("throughput, publications/s", round.rate());
        add(
                "copies sent to subscribers a publication, copies",
                (round.delivered() + load.thrownAway() - thrownAway) / published);
        Optional<MachineUse> after = MachineUse.now();
        if (before.isPresent() && after.isPresent()) {
            MachineUse use = after.get().since(before.get());
            add("CPU a publication, µs", use.cpuMillis() * 1e3 / published);
            add("bytes between processes a publication, bytes", use.loopbackBytes() / published);
        }
        return round;
    }

    private void add(String of, double value) {
        values.computeIfAbsent(of, key -> new ArrayList<>()).add(value);
    }

    private Measurement figure(String of) {
        int comma = of.lastIndexOf(", ");
        return new Measurement(
                name + ": " + of.substring(0, comma), of.substring(comma + 2), values.getOrDefault(of, List.of()));
    }

    /** Adds its figures. */
    void report(Result.Builder result) {
        values.keySet().forEach(of -> result.figure(figure(of)));
    }

    /** Adds the ratios of its figures to those of the other one. */
    void against(Alternative other, Result.Builder result) {
        values.keySet()
                .forEach(of -> result.figure(Measurement.ratio(
                        of.substring(0, of.lastIndexOf(", ")) + ", " + name + " ÷ " + other.name,
                        figure(of),
                        other.figure(of))));
    }

    /** Adds its books. */
    void book(Result.Builder result) {
        result.book(
                        name + ": acknowledged",
                        rounds.stream().mapToLong(Round::published).sum(),
                        rounds.stream().mapToLong(Round::acknowledged).sum())
                .book(
                        name + ": copies delivered",
                        rounds.stream().mapToLong(Round::expected).sum(),
                        rounds.stream().mapToLong(Round::delivered).sum())
                .book(
                        name + ": copies repeated",
                        0,
                        rounds.stream().mapToLong(Round::repeats).sum())
                .book(
                        name + ": copies out of order",
                        0,
                        rounds.stream().mapToLong(Round::disordered).sum())
                .book(name + ": copies that nobody wants, or late", 0, load.foreign());
    }
}
