package io.hereabouts.perf.postgis;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code perf real} is asked for.
 *
 * @param data folder of the real city's data
 * @param neighborhoods of one stage, each with an area of its own
 * @param publishers entities that are in a neighborhood and publish in turn
 * @param rate publications a second that are due
 * @param seconds of each mode
 */
public record RealParameters(long seed, Path data, int neighborhoods, int publishers, int rate, int seconds) {

    /** @throws IllegalArgumentException naming everything that is out of range */
    public RealParameters {
        new Ranges()
                .check("--neighborhoods", neighborhoods, 1, 100_000)
                .check("--publishers", publishers, 1, 100_000)
                .check("--rate", rate, 1, 1_000_000)
                .check("--seconds", seconds, 1, 3_600)
                .throwIfAny();
        if (!Files.isDirectory(data)) {
            throw new IllegalArgumentException("--data " + data + ": no folder");
        }
    }

    Scenario scenario(PostgisServer server) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("city", "Berlin");
        parameters.put("neighborhoods", String.valueOf(neighborhoods));
        parameters.put("publishers", String.valueOf(publishers));
        parameters.put("rate", rate + "/s");
        parameters.put("seconds", String.valueOf(seconds));
        parameters.put("postgis", server.origin());
        return new Scenario("real", seed, parameters);
    }
}
