package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code perf scale} is asked for.
 *
 * @param partitions of {@code publications} and {@code filters}, step by step
 * @param edges that each publication goes to, step by step
 * @param neighborhoods that the entities are dealt to, step by step
 * @param instances most routers that share the work; they come one after the other
 * @param records publications of a round
 * @param rounds of each step, after one that is not counted
 * @param entities that publish
 * @param payload bytes of a publication
 * @param rate publications a second while routers come
 * @param seconds between two of them that are measured
 */
public record ScaleParameters(
        long seed,
        List<Integer> partitions,
        List<Integer> edges,
        List<Integer> neighborhoods,
        int instances,
        int records,
        int rounds,
        int entities,
        int payload,
        int rate,
        int seconds) {

    /** Of publications and filters, wherever their number is not what is asked for. */
    static final int PARTITIONS = 12;

    private static final int NEIGHBORHOODS = 100;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public ScaleParameters {
        partitions = List.copyOf(partitions);
        edges = List.copyOf(edges);
        neighborhoods = List.copyOf(neighborhoods);
        Ranges ranges = new Ranges()
                .check("--instances", instances, 1, PARTITIONS)
                .check("--records", records, 1_000, 100_000_000)
                .check("--rounds", rounds, 1, 100)
                .check("--entities", entities, 1, 1_000_000)
                .check("--payload", payload, 0, 1_000_000)
                .check("--rate", rate, 1, 1_000_000)
                .check("--seconds", seconds, 1, 3_600);
        partitions.forEach(p -> ranges.check("--partitions", p, 1, 256));
        edges.forEach(e -> ranges.check("--edges", e, 1, 100));
        neighborhoods.forEach(n -> ranges.check("--neighborhoods", n, RouteCase.MOST_NEIGHBORHOODS, 100_000));
        ranges.throwIfAny();
    }

    /** One step of a dimension. */
    RouteParameters step(int partitionsOfIt, int neighborhoodsOfIt) {
        return new RouteParameters(
                seed, records, rounds, partitionsOfIt, payload, entities, neighborhoodsOfIt, List.of());
    }

    RouteParameters withPartitions(int n) {
        return step(n, NEIGHBORHOODS);
    }

    RouteParameters withNeighborhoods(int n) {
        return step(PARTITIONS, n);
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("partitions", partitions.toString());
        parameters.put("edges", edges.toString());
        parameters.put("neighborhoods", neighborhoods.toString());
        parameters.put("instances", String.valueOf(instances));
        parameters.put("records", String.valueOf(records));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("entities", String.valueOf(entities));
        parameters.put("payload", payload + " bytes");
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        return new Scenario("scale", seed, parameters);
    }
}
