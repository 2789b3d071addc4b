package io.hereabouts.perf.postgis;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code perf paper} is asked for.
 *
 * @param rounds of each mode at each place, after one that is not counted
 * @param millis of a mode in a round
 * @param most how many subscriptions, filters or entities of a filter there are at most, where that is what varies
 * @param entities of the world in which is resolved
 */
public record PaperParameters(
        long seed, List<PaperExperiment> experiments, int rounds, int millis, int most, int entities) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public PaperParameters {
        experiments = List.copyOf(experiments);
        new Ranges()
                .check("--rounds", rounds, 2, 100)
                .check("--millis", millis, 10, 600_000)
                .check("--most", most, 100, 1_000_000)
                .check("--entities", entities, 1_000, 2_000_000)
                .throwIfAny();
    }

    Scenario scenario(PostgisServer server) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(
                "experiments", experiments.stream().map(PaperExperiment::id).collect(Collectors.joining(",")));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("millis", String.valueOf(millis));
        parameters.put("most", String.valueOf(most));
        parameters.put("entities", String.valueOf(entities));
        parameters.put("postgis", server.origin());
        return new Scenario("paper", seed, parameters);
    }
}
