package io.hereabouts.perf.index;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.perf.process.WorkFolder;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What the filter index of a partition weighs and how long a lookup takes, against other ways to keep the same pairs. JMH
 * gives each way and shape a JVM of its own, one after the other.
 */
public final class IndexBenchmark {

    private static final double MOST_BYTES_A_PAIR = 12;
    private static final double MOST_NANOS = 150;
    /** The largest ratio of two filter sizes' lookup times that is still called flat. */
    private static final double FLAT = 1.5;

    private final IndexParameters parameters;
    private final Progress progress;
    private final Result.Builder result;

    private IndexBenchmark(IndexParameters parameters, Progress progress, Result.Builder result) {
        this.parameters = parameters;
        this.progress = progress;
        this.result = result;
    }

    /** Measures; takes some gigabytes for each contender, one after the other. */
    public static Result run(IndexParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        result.note("each contender in a JVM of its own (JMH, one fork); heap is what is used after a full collection;"
                + " a lookup of the index matches the topic name, too");
        new IndexBenchmark(parameters, progress, result).measure();
        return result.build();
    }

    /** One contender with one shape. */
    private record Weighed(IndexFacts facts, Measurement nanos) {
        double bytesAPair() {
            return (double) facts.heap() / facts.pairs();
        }
    }

    private void measure() throws MeasurementException, InterruptedException {
        for (IndexShape shape : parameters.fanOutShapes()) {
            String name = "fan-out " + shape.fanOut();
            Weighed index = measure(name, Keeping.INDEX, shape, 0);
            if (shape.fanOut() >= IndexParameters.FAN_OUT) {
                result.target(Target.atMost(MOST_BYTES_A_PAIR, bytes(name, Keeping.INDEX, index)));
            }
            if (shape.fanOut() <= IndexParameters.FAN_OUT) {
                result.target(Target.atMost(MOST_NANOS, index.nanos()));
            }
            for (Keeping other : List.of(Keeping.MAP, Keeping.STORE, Keeping.ROCKS)) {
                Weighed weighed = measure(name, other, shape, 0);
                result.figure(Measurement.ratio(
                        name + ": lookup, FilterIndex ÷ " + other.title(), index.nanos(), weighed.nanos()));
            }
        }
        Measurement first = null;
        for (IndexShape shape : parameters.filterSizeShapes()) {
            String name = String.format(Locale.ROOT, "neighborhoods of %,d", shape.filterSize());
            Measurement nanos = measure(name, Keeping.INDEX, shape, 0).nanos();
            result.target(Target.atMost(MOST_NANOS, nanos));
            if (first == null) {
                first = nanos;
            } else {
                Measurement ratio = Measurement.ratio(name + ": lookup ÷ that of the smallest", nanos, first);
                result.figure(ratio).target(Target.atMost(FLAT, ratio));
            }
        }
        if (!parameters.fanOutShapes().isEmpty()) {
            measure(
                    "entities in no neighborhood",
                    Keeping.INDEX,
                    parameters.fanOutShapes().get(0),
                    100);
        }
    }

    private static Measurement bytes(String name, Keeping keeping, Weighed weighed) {
        return new Measurement(name + ": " + keeping.title() + ", heap a pair", "bytes", List.of(weighed.bytesAPair()));
    }

    private Weighed measure(String name, Keeping keeping, IndexShape shape, int strangers)
            throws MeasurementException, InterruptedException {
        progress.line(name + ": " + keeping.title());
        String title = name + ": " + keeping.title();
        try (WorkFolder folder = WorkFolder.create()) {
            RunResult run = run(keeping, shape, strangers, folder);
            IndexFacts facts = IndexFacts.read(folder.path());
            Weighed weighed = new Weighed(facts, new Measurement(title + ", lookup", "ns", rounds(run)));
            List<Double> cpu = facts.cpuNanos();
            result.figure(new Measurement(
                    title + ", lookup, CPU", "ns", cpu.subList(parameters.rounds(), 2 * parameters.rounds())));
            if (keeping == Keeping.INDEX) {
                result.figure(new Measurement(
                        name + ": a dependent read of as much memory", "ns", List.of(facts.readNanos())));
            }
            double pairs = facts.pairs();
            result.figure(weighed.nanos()).figure(bytes(name, keeping, weighed));
            if (facts.gauge() != IndexContender.NO_GAUGE) {
                result.figure(new Measurement(
                        title + ", heapBytes() ÷ heap", "×", List.of((double) facts.gauge() / facts.heap())));
            }
            if (facts.outside() > 0) {
                result.figure(new Measurement(title + ", files a pair", "bytes", List.of(facts.outside() / pairs)));
            }
            result.figure(new Measurement(title + ", filled at", "pairs/s", List.of(pairs / facts.fillSeconds())));
            result.book(title + ", right answers", facts.checked(), facts.right());
            return weighed;
        }
    }

    private static List<Double> rounds(RunResult run) {
        return run.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(IterationResult::getPrimaryResult)
                .map(iteration -> iteration.getScore())
                .toList();
    }

    private RunResult run(Keeping keeping, IndexShape shape, int strangers, WorkFolder folder)
            throws MeasurementException, InterruptedException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(IndexLookup.class.getName() + ".lookup")
                .param("keeping", keeping.name())
                .param("seed", String.valueOf(shape.seed()))
                .param("pairs", String.valueOf(shape.pairs()))
                .param("fanOut", String.valueOf(shape.fanOut()))
                .param("filterSize", String.valueOf(shape.filterSize()))
                .param("strangers", String.valueOf(strangers))
                .param("folder", folder.path().toString())
                .forks(1)
                .warmupIterations(parameters.rounds())
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(parameters.rounds())
                .measurementTime(TimeValue.seconds(1))
                .jvmArgs(jvmArgs())
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        try {
            Collection<RunResult> results = new Runner(options.build()).run();
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while JMH ran");
            }
            return results.iterator().next();
        } catch (RunnerException e) {
            throw new MeasurementException("JMH", e);
        }
    }

    /** The collector that moves everything together, so that what is used is what is needed. */
    private String[] jvmArgs() {
        Stream<String> fixed = Stream.of("-Xmx" + parameters.heapMegabytes() + "m", "-XX:+UseSerialGC");
        return Stream.concat(fixed, ChildProcess.inherited().stream()).toArray(String[]::new);
    }
}
