package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf subscribe} is asked for.
 *
 * @param subscriptions of each kind in each round
 * @param rounds after one that is not counted
 * @param entities of each neighborhood
 */
public record SubscribeParameters(long seed, int subscriptions, int rounds, int entities) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public SubscribeParameters {
        new Ranges()
                .check("--subscriptions", subscriptions, 1, 10_000)
                .check("--rounds", rounds, 1, 100)
                .check("--entities", entities, 1, TinyWorld.MAX_DETECTORS)
                .throwIfAny();
    }

    Scenario scenario(StackChoice stack) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("subscriptions", String.valueOf(subscriptions));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("entities", String.valueOf(entities));
        parameters.putAll(stack.parameters());
        return new Scenario("subscribe", seed, parameters);
    }
}
