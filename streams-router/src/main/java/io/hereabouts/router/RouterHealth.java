package io.hereabouts.router;

import java.util.List;

/**
 * How a router is.
 *
 * @param ready whether it routes, and nothing was lost
 * @param state what Kafka Streams says
 * @param problems what somebody should look at, a line each
 */
public record RouterHealth(boolean ready, String state, List<String> problems) {
    public RouterHealth {
        problems = List.copyOf(problems);
    }
}
