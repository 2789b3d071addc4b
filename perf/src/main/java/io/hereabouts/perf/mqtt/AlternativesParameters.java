package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import io.hereabouts.perf.kafka.RouteParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code perf alternatives} is asked for.
 *
 * @param zones in each of which one subscriber is interested
 * @param entities in all zones together
 * @param rate publications a second of the latency rounds
 * @param seconds of each round
 * @param warmUp seconds of each at full speed before anything is measured
 * @param rounds of each, for latency and then for throughput
 * @param window publications on their way in the throughput rounds
 * @param records publications of a round of the router and the {@code KTable}
 */
public record AlternativesParameters(
        long seed,
        int zones,
        int entities,
        int rate,
        int seconds,
        int warmUp,
        int rounds,
        int window,
        int payload,
        int qos,
        int records) {

    private static final int PARTITIONS = 12;
    private static final int NEIGHBORHOODS = 100;
    private static final int ENTITIES_IN_KAFKA = 10_000;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public AlternativesParameters {
        new Ranges()
                .check("--zones", zones, 2, 1_000)
                .check("--entities", entities, 1, 100_000)
                .check("--rate", rate, 1, 1_000_000)
                .check("--seconds", seconds, 1, 3_600)
                .check("--warm-up", warmUp, 0, 3_600)
                .check("--rounds", rounds, 1, 100)
                .check("--window", window, 1, 1_000)
                .check("--payload", payload, Note.BYTES, 1_000_000)
                .check("--qos", qos, 0, 1)
                .check("--records", records, 1_000, 100_000_000)
                .throwIfAny();
    }

    RouteParameters routing() {
        return new RouteParameters(
                seed, records, rounds, PARTITIONS, payload, ENTITIES_IN_KAFKA, NEIGHBORHOODS, List.of(1));
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("zones", String.valueOf(zones));
        parameters.put("entities", String.valueOf(entities));
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        parameters.put("warm-up", warmUp + " s");
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("window", String.valueOf(window));
        parameters.put("payload", payload + " bytes");
        parameters.put("qos", String.valueOf(qos));
        parameters.put("records", String.valueOf(records));
        return new Scenario("alternatives", seed, parameters);
    }
}
