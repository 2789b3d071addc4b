package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf e2e} is asked for.
 *
 * @param rate messages a second of the latency rounds
 * @param seconds of each round
 * @param warmUp seconds of each side at full speed before anything is measured
 * @param rounds of each side, for latency and then for throughput
 * @param window messages on their way in the throughput rounds
 * @param entities with a topic name each
 */
public record E2eParameters(
        long seed,
        int rate,
        int seconds,
        int warmUp,
        int rounds,
        int window,
        int payload,
        int subscribers,
        int qos,
        int entities) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public E2eParameters {
        new Ranges()
                .check("--rate", rate, 1, 1_000_000)
                .check("--seconds", seconds, 1, 3_600)
                .check("--warm-up", warmUp, 0, 3_600)
                .check("--rounds", rounds, 1, 100)
                // beyond the receive maximum of a client the broker would not take more
                .check("--window", window, 1, 1_000)
                .check("--payload", payload, Note.BYTES, 1_000_000)
                .check("--subscribers", subscribers, 1, 1_000)
                .check("--qos", qos, 0, 1)
                .check("--entities", entities, 1, TinyWorld.MAX_DETECTORS)
                .throwIfAny();
    }

    Scenario scenario(StackChoice stack) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        parameters.put("warm-up", warmUp + " s");
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("window", String.valueOf(window));
        parameters.put("payload", payload + " bytes");
        parameters.put("subscribers", String.valueOf(subscribers));
        parameters.put("qos", String.valueOf(qos));
        parameters.put("entities", String.valueOf(entities));
        parameters.putAll(stack.parameters());
        return new Scenario("e2e", seed, parameters);
    }
}
