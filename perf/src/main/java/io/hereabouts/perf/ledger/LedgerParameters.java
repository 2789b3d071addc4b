package io.hereabouts.perf.ledger;

import io.hereabouts.perf.Ranges;
import io.hereabouts.perf.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code perf ledger} is asked for.
 *
 * @param seed of city, load and schedule
 * @param minutes that the schedule may take
 * @param rate publications a second
 * @param faults that happen; the world is in PostGIS if {@link Fault#POSTGIS} is one of them
 */
public record LedgerParameters(long seed, int minutes, int rate, List<Fault> faults) {

    static final int EDGES = 2;
    static final int ROUTERS = 2;

    /** @throws IllegalArgumentException naming everything that is out of range */
    public LedgerParameters {
        faults = faults.stream().distinct().sorted().toList();
        new Ranges()
                .check("--minutes", minutes, 1, 10_000)
                .check("--rate", rate, 10, 100_000)
                .check("number of --faults", faults.size(), 1, Fault.values().length)
                .throwIfAny();
    }

    boolean postgis() {
        return faults.contains(Fault.POSTGIS);
    }

    Scenario scenario() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("minutes", String.valueOf(minutes));
        parameters.put("rate", rate + "/s");
        parameters.put("faults", faults.stream().map(Fault::toString).collect(Collectors.joining(",")));
        parameters.put("edges", String.valueOf(EDGES));
        parameters.put("routers", String.valueOf(ROUTERS));
        parameters.put("world", postgis() ? "postgis" : "memory");
        return new Scenario("ledger", seed, parameters);
    }
}
