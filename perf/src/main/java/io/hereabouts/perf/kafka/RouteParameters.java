package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code perf route} is asked for.
 *
 * @param records publications of each round; where each goes to many edges, fewer, see {@link RouteCase#records}
 * @param rounds of each, router and identity, after one round of each that is not counted
 * @param partitions of {@code publications} and {@code filters}
 * @param payload bytes of a publication
 * @param entities that publish, each to a topic name of its own
 * @param neighborhoods that the entities are dealt to
 * @param fanOuts only the shapes with these fan-outs; empty: all
 */
public record RouteParameters(
        long seed,
        int records,
        int rounds,
        int partitions,
        int payload,
        int entities,
        int neighborhoods,
        List<Integer> fanOuts) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public RouteParameters {
        fanOuts = List.copyOf(fanOuts);
        new Ranges()
                .check("--records", records, 100, 100_000_000)
                .check("--rounds", rounds, 1, 100)
                .check("--partitions", partitions, 1, 256)
                .check("--payload", payload, 0, 1_000_000)
                .check("--entities", entities, 1, 1_000_000)
                .check("--neighborhoods", neighborhoods, RouteCase.MOST_NEIGHBORHOODS, 100_000)
                .throwIfAny();
    }

    List<RouteCase> cases() {
        return RouteCase.ALL.stream()
                .filter(shape -> fanOuts.isEmpty() || fanOuts.contains(shape.fanOut()))
                .toList();
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("records", String.valueOf(records));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("partitions", String.valueOf(partitions));
        parameters.put("payload", payload + " bytes");
        parameters.put("entities", String.valueOf(entities));
        parameters.put("neighborhoods", String.valueOf(neighborhoods));
        if (!fanOuts.isEmpty()) {
            parameters.put("fan-outs", fanOuts.toString());
        }
        return new Scenario("route", seed, parameters);
    }
}
