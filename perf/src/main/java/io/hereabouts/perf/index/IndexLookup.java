package io.hereabouts.perf.index;

import io.hereabouts.perf.MeasurementException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What JMH runs in a JVM of its own: fills one {@link Keeping} with one {@link IndexShape}, weighs it, and looks up random
 * entities. What is weighed goes to a file, see {@link IndexFacts}, since JMH only brings back times.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexLookup {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CHECKED = 1_000;

    @Param("INDEX")
    public String keeping = "INDEX";

    @Param("17")
    public long seed;

    @Param("100000")
    public long pairs;

    @Param("10")
    public int fanOut;

    @Param("1000")
    public int filterSize;

    /** Share of lookups, in percent, of entities that are in no neighborhood. */
    @Param("0")
    public int strangers;

    /** For files of a store and for the facts. */
    @Param("")
    public String folder = "";

    private final KeyMaker keys = new KeyMaker();
    private @Nullable IndexContender contender;
    private @Nullable IndexFacts facts;
    private final List<Double> cpu = new ArrayList<>();
    private long lookups;
    private long cpuNanos;
    private int entities;
    private int firstStranger;
    private long random;

    /** Fills and weighs. */
    @Setup
    public void fill() throws IOException, MeasurementException {
        IndexShape shape = new IndexShape(seed, pairs, fanOut, filterSize);
        Path files = Path.of(folder);
        long before = Heap.used();
        long begin = System.nanoTime();
        IndexContender filled = Keeping.valueOf(keeping).open(files);
        contender = filled;
        long added = shape.fill(filled);
        double seconds = (System.nanoTime() - begin) / 1e9;
        entities = shape.entities();
        firstStranger = strangers == 0 ? Integer.MAX_VALUE : (int) (entities * (100L - strangers) / 100);
        random = seed;
        long heap = Heap.used() - before;
        int right = shape.rightAnswers(filled, CHECKED);
        facts = new IndexFacts(
                added,
                seconds,
                heap,
                filled.heapGauge(),
                filled.outsideOfHeap(),
                CHECKED,
                right,
                MemoryProbe.readNanos(heap),
                List.of());
    }

    /** One lookup, with the few nanoseconds that drawing and writing its id takes. */
    @Benchmark
    public int lookup() {
        random += 0x9E3779B97F4A7C15L;
        int entity = IndexShape.below(entities, random);
        // strangers have numbers that were not dealt
        lookups++;
        IndexContender of = contender;
        return of == null ? 0 : of.find(keys.key(entity < firstStranger ? entity : ~entity));
    }

    /** Before each round. */
    @Setup(Level.Iteration)
    public void begin() {
        lookups = 0;
        cpuNanos = THREADS.getCurrentThreadCpuTime();
    }

    /** After each round; JMH only takes the time of day, which others' work on the machine is in. */
    @TearDown(Level.Iteration)
    public void end() {
        cpu.add((double) (THREADS.getCurrentThreadCpuTime() - cpuNanos) / lookups);
    }

    /** Closes what may have files. */
    @TearDown
    public void close() throws Exception {
        if (facts != null) {
            facts.withCpuNanos(cpu).write(Path.of(folder));
        }
        if (contender != null) {
            contender.close();
        }
    }
}
