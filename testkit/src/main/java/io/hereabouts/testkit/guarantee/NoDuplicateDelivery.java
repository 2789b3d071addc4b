package io.hereabouts.testkit.guarantee;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** No client gets a publication twice; or, where a process was killed, not more than a bounded number of repeats. */
public final class NoDuplicateDelivery implements Guarantee {

    private final long allowed;
    private final Map<Pair, Integer> times = new HashMap<>();

    private NoDuplicateDelivery(long allowed) {
        this.allowed = allowed;
    }

    /** Not a single repeat. */
    public static NoDuplicateDelivery strict() {
        return new NoDuplicateDelivery(0);
    }

    /** At most so many repeats, of all clients together. */
    public static NoDuplicateDelivery allowing(long repeats) {
        return new NoDuplicateDelivery(repeats);
    }

    @Override
    public String promise() {
        return allowed == 0 ? "no repeats" : "at most " + allowed + " repeats";
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        times.merge(new Pair(delivery.publication(), delivery.client()), 1, Integer::sum);
    }

    /** How many deliveries repeated an earlier one. */
    public synchronized long repeats() {
        return times.values().stream().mapToLong(n -> n - 1).sum();
    }

    @Override
    public synchronized List<String> violations() {
        if (repeats() <= allowed) {
            return List.of();
        }
        return times.entrySet().stream()
                .filter(e -> e.getValue() > 1)
                .sorted(Comparator.comparing(e -> e.getKey().toString()))
                .map(e -> e.getKey() + " came " + e.getValue() + " times")
                .toList();
    }
}
