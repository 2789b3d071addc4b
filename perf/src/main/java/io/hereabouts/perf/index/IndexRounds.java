package io.hereabouts.perf.index;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Scenario;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The index and a map in one JVM, in rounds that take turns: less exact than {@link IndexBenchmark}, but done in seconds
 * and, by the CPU time of the thread, hardly touched by what else the machine does.
 */
public final class IndexRounds {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int FAN_OUT = 10;
    private static final int FILTER_SIZE = 1_000;
    private static final int CHECKED = 1_000;

    private IndexRounds() {}

    /** Measures with a fan-out of {@value #FAN_OUT} and neighborhoods of {@value #FILTER_SIZE}. */
    public static Result run(long seed, int pairs, int rounds, int lookups, Progress progress) {
        IndexShape shape = new IndexShape(seed, pairs, FAN_OUT, FILTER_SIZE);
        Result.Builder result = Result.of(new Scenario("index rounds", seed, Map.of("pairs", String.valueOf(pairs))));
        Map<Keeping, List<Double>> nanos = new LinkedHashMap<>();
        Map<Keeping, IndexContender> contenders = new LinkedHashMap<>();
        for (Keeping keeping : List.of(Keeping.INDEX, Keeping.MAP)) {
            progress.line("filling " + keeping.title());
            long before = Heap.used();
            IndexContender contender = keeping.open(Path.of(""));
            long added = shape.fill(contender);
            double heap = Heap.used() - before;
            contenders.put(keeping, contender);
            nanos.put(keeping, new ArrayList<>());
            result.figure(new Measurement(keeping.title() + ", heap a pair", "bytes", List.of(heap / added)))
                    .book(keeping.title() + ", right answers", CHECKED, shape.rightAnswers(contender, CHECKED));
        }
        for (int r = -rounds; r < rounds; r++) {
            for (Map.Entry<Keeping, IndexContender> entry : contenders.entrySet()) {
                double taken = cpuNanos(shape, entry.getValue(), seed + r, lookups);
                if (r >= 0) {
                    nanos.getOrDefault(entry.getKey(), new ArrayList<>()).add(taken);
                }
            }
        }
        nanos.forEach((keeping, of) -> result.figure(new Measurement(keeping.title() + ", lookup, CPU", "ns", of)));
        return result.build();
    }

    private static double cpuNanos(IndexShape shape, IndexContender contender, long seed, int lookups) {
        KeyMaker keys = new KeyMaker();
        long random = seed;
        long found = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < lookups; i++) {
            random += 0x9E3779B97F4A7C15L;
            found += contender.find(keys.key(shape.draw(random)));
        }
        long taken = THREADS.getCurrentThreadCpuTime() - begin;
        if (found == 0) {
            throw new IllegalStateException("no entity was found");
        }
        return (double) taken / lookups;
    }
}
