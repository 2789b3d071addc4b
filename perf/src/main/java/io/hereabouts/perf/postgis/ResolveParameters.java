package io.hereabouts.perf.postgis;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code perf resolve} is asked for.
 *
 * @param entities how many the world has, one after the other
 * @param rounds after one that is not counted
 * @param queries of each case in each round, each with a reference of its own; a quarter of them where the scope is large
 * @param data folder of the real city's data; null: made-up cities
 */
public record ResolveParameters(long seed, List<Integer> entities, int rounds, int queries, @Nullable Path data) {

    private static final int LARGE = 4;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public ResolveParameters {
        entities = List.copyOf(entities);
        Ranges ranges = new Ranges().check("--rounds", rounds, 1, 100).check("--queries", queries, 1, 10_000);
        entities.forEach(n -> ranges.check("--entities", n, 1_000, 2_000_000));
        ranges.throwIfAny();
        if (data != null && !Files.isDirectory(data)) {
            throw new IllegalArgumentException("--data " + data + ": no folder");
        }
    }

    int queries(ResolveCase shape) {
        return shape.large() ? Math.max(1, queries / LARGE) : queries;
    }

    Scenario scenario(PostgisServer server) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entities", entities.stream().map(String::valueOf).collect(Collectors.joining(",")));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("queries", String.valueOf(queries));
        parameters.put("city", data == null ? "made up" : "Berlin");
        parameters.put("postgis", server.origin());
        return new Scenario("resolve", seed, parameters);
    }
}
