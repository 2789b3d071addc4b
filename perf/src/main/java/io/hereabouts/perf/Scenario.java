package io.hereabouts.perf;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured: enough to do it again.
 *
 * @param name of the subcommand
 * @param seed of everything that is chosen at random
 * @param parameters as given on the command line, in order
 */
public record Scenario(String name, long seed, Map<String, String> parameters) {

    public Scenario {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }
}
