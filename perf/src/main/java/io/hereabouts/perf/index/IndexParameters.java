package io.hereabouts.perf.index;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code perf index} is asked for.
 *
 * @param pairs about how many (neighborhood, entity) pairs each contender keeps
 * @param fanOuts mean neighborhoods of an entity, one after the other, with neighborhoods of {@value #FILTER_SIZE}
 * @param filterSizes mean entities of a neighborhood, one after the other, with a fan-out of {@value #FAN_OUT}: of the
 *     product's index only
 * @param rounds of a second each, after as many that are not counted
 * @param heapMegabytes of each contender's JVM
 */
public record IndexParameters(
        long seed, long pairs, List<Integer> fanOuts, List<Integer> filterSizes, int rounds, int heapMegabytes) {

    static final int FILTER_SIZE = 1_000;
    static final int FAN_OUT = 10;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public IndexParameters {
        fanOuts = List.copyOf(fanOuts);
        filterSizes = List.copyOf(filterSizes);
        Ranges ranges = new Ranges()
                .check("--pairs", pairs, 1_000, 100_000_000)
                .check("--rounds", rounds, 1, 100)
                .check("--heap", heapMegabytes, 64, 1_000_000);
        fanOuts.forEach(n -> ranges.check("--fan-outs", n, 1, 1_000));
        filterSizes.forEach(n -> ranges.check("--filter-sizes", n, 1, 1_000_000));
        ranges.throwIfAny();
    }

    /** With all contenders. */
    List<IndexShape> fanOutShapes() {
        return fanOuts.stream().map(f -> shape(f, FILTER_SIZE)).toList();
    }

    /** With the product's index only, beyond those of {@link #fanOutShapes}. */
    List<IndexShape> filterSizeShapes() {
        List<IndexShape> shapes =
                new ArrayList<>(filterSizes.stream().map(n -> shape(FAN_OUT, n)).toList());
        shapes.removeAll(fanOutShapes());
        return shapes;
    }

    private IndexShape shape(int fanOut, int filterSize) {
        return new IndexShape(seed, pairs, fanOut, filterSize);
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("pairs", String.valueOf(pairs));
        parameters.put("fan-outs", list(fanOuts));
        parameters.put("filter-sizes", list(filterSizes));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("heap", heapMegabytes + " MiB");
        return new Scenario("index", seed, parameters);
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
