package io.hereabouts.bridge.delivery;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which deliveries this edge has had. The router sends those of one source partition in the order of its offsets, and
 * after a fail-over repeats from an earlier offset: so a high-water mark for each partition is enough. Owned by one
 * thread; any may ask how far it is.
 */
public final class SeenDeliveries {

    private record Source(int generation, int partition) {}

    private final Map<Source, Long> highest = new ConcurrentHashMap<>();

    /** Whether nothing new can come from here or from before: this delivery was had, or a later one. */
    public boolean isPast(int generation, int partition, long offset) {
        Long before = highest.get(new Source(generation, partition));
        return before != null && offset <= before;
    }

    /** True the first time; false for a repeat. */
    public boolean isNew(int generation, int partition, long offset) {
        if (isPast(generation, partition, offset)) {
            return false;
        }
        highest.put(new Source(generation, partition), offset);
        return true;
    }
}
