package io.hereabouts.perf.postgis;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code perf mapping} is asked for.
 *
 * @param lookups of each mode in each round
 * @param rounds after one that is not counted
 * @param entities sizes of the {@value #NEIGHBORHOODS} neighborhoods, one after the other, each with every fan-out
 * @param neighborhoods how many there are of {@value #ENTITIES} entities, one after the other, with fan-out 1
 */
public record MappingParameters(
        long seed, int lookups, int rounds, List<Integer> entities, List<Integer> neighborhoods) {

    private static final int NEIGHBORHOODS = 100;
    private static final int ENTITIES = 100;
    private static final List<Integer> FAN_OUTS = List.of(0, 1, 10);

    /** @throws IllegalArgumentException naming everything that is out of range */
    public MappingParameters {
        entities = List.copyOf(entities);
        neighborhoods = List.copyOf(neighborhoods);
        Ranges ranges = new Ranges().check("--lookups", lookups, 10, 1_000_000).check("--rounds", rounds, 1, 100);
        entities.forEach(n -> ranges.check("--entities", n, 1, 100_000));
        neighborhoods.forEach(n -> ranges.check("--neighborhoods", n, 1, 100_000));
        ranges.throwIfAny();
    }

    List<MappingCase> cases() {
        List<MappingCase> cases = new ArrayList<>();
        entities.forEach(n -> FAN_OUTS.forEach(k -> cases.add(new MappingCase(NEIGHBORHOODS, n, k))));
        neighborhoods.forEach(n -> cases.add(new MappingCase(n, ENTITIES, 1)));
        return cases.stream().distinct().toList();
    }

    Scenario scenario(PostgisServer server) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("lookups", String.valueOf(lookups));
        parameters.put("rounds", String.valueOf(rounds));
        parameters.put("entities", list(entities));
        parameters.put("neighborhoods", list(neighborhoods));
        parameters.put("postgis", server.origin());
        return new Scenario("mapping", seed, parameters);
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
