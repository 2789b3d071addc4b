package io.hereabouts.perf.mqtt;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf flood} is asked for.
 *
 * @param rate messages a second to the clients that are measured
 * @param seconds of each round
 * @param warmUp seconds of them before anything is measured
 * @param rounds of each, quiet and with each disturbance
 * @param subscribers that are measured
 * @param crowd subscribers of one neighborhood that gets a message each second
 * @param window unacknowledged messages of whoever publishes at full speed
 * @param payload of its messages, in bytes
 */
public record FloodParameters(
        long seed, int rate, int seconds, int warmUp, int rounds, int subscribers, int crowd, int window, int payload) {

    /** Each is a connection of this process and one of the stack's. */
    private static final int MOST_CLIENTS = 20_000;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public FloodParameters {
        new Ranges()
                .check("--rate", rate, 1, 100_000)
                .check("--seconds", seconds, 1, 3_600)
                .check("--warm-up", warmUp, 0, 3_600)
                .check("--rounds", rounds, 1, 100)
                .check("--subscribers", subscribers, 1, 1_000)
                .check("--crowd", crowd, 1, MOST_CLIENTS)
                .check("--window", window, 1, 1_000)
                .check("--payload", payload, Note.BYTES, 1_000_000)
                .throwIfAny();
    }

    Scenario scenario(StackChoice stack) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        parameters.put("warm-up", warmUp + " s");
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("subscribers", String.valueOf(subscribers));
        parameters.put("crowd", String.valueOf(crowd));
        parameters.put("window", String.valueOf(window));
        parameters.put("payload", payload + " bytes");
        parameters.putAll(stack.parameters());
        return new Scenario("flood", seed, parameters);
    }
}
