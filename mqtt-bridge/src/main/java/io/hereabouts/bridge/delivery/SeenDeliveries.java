package io.hereabouts.bridge.delivery;

import java.util.HashMap;
import java.util.Map;

/**
 * Which deliveries this edge has had. The router sends those of one source partition in the order of its offsets, and
 * after a fail-over repeats from an earlier offset: so a high-water mark for each partition is enough. Owned by one
 * thread.
 */
public final class SeenDeliveries {

    private record Source(int generation, int partition) {}

    private final Map<Source, Long> highest = new HashMap<>();

    /** True the first time; false for a repeat. */
    public boolean isNew(int generation, int partition, long offset) {
        Source source = new Source(generation, partition);
        Long before = highest.get(source);
        if (before != null && offset <= before) {
            return false;
        }
        highest.put(source, offset);
        return true;
    }
}
