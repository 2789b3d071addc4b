package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf sustain} is asked for.
 *
 * @param neighborhoods that one edge is interested in
 * @param size entities of each
 * @param entities that there are
 * @param rate publications a second
 * @param seconds that the rate is held, after a tenth of that to warm up
 * @param loads how often the filters are loaded, by a router and by a bare consumer in turn
 * @param partitions of {@code publications} and {@code filters}
 * @param payload bytes of a publication
 */
public record SustainParameters(
        long seed,
        int neighborhoods,
        int size,
        int entities,
        int rate,
        int seconds,
        int loads,
        int partitions,
        int payload) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public SustainParameters {
        new Ranges()
                .check("--neighborhoods", neighborhoods, 1, 1_000_000)
                .check("--size", size, 1, 10_000)
                .check("--entities", entities, size, 10_000_000)
                .check("--rate", rate, 100, 10_000_000)
                .check("--seconds", seconds, 5, 86_400)
                .check("--loads", loads, 1, 100)
                .check("--partitions", partitions, 1, 256)
                .check("--payload", payload, 0, 1_000_000)
                .throwIfAny();
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("neighborhoods", String.valueOf(neighborhoods));
        parameters.put("size", size + " entities");
        parameters.put("entities", String.valueOf(entities));
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        parameters.put("loads", String.valueOf(loads));
        parameters.put("partitions", String.valueOf(partitions));
        parameters.put("payload", payload + " bytes");
        return new Scenario("sustain", seed, parameters);
    }
}
