package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf change} is asked for.
 *
 * @param entities of the world, zones included
 * @param neighborhoods that are subscribed, one for each zone
 * @param changes of the world in each round
 * @param rounds after one that is not counted
 */
public record ChangeParameters(long seed, int entities, int neighborhoods, int changes, int rounds) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public ChangeParameters {
        new Ranges()
                .check("--entities", entities, 10, 2_000_000)
                .check("--neighborhoods", neighborhoods, 2, Math.max(2, entities / 2))
                .check("--changes", changes, 1, 10_000)
                .check("--rounds", rounds, 1, 100)
                .throwIfAny();
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entities", String.valueOf(entities));
        parameters.put("neighborhoods", String.valueOf(neighborhoods));
        parameters.put("changes", String.valueOf(changes));
        parameters.put("rounds", String.valueOf(rounds));
        return new Scenario("change", seed, parameters);
    }
}
