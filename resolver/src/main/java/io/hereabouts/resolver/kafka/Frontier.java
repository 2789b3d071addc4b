package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.filters.Input;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * How far the inputs of each partition are finished: up to the lowest that is not, so that after a crash every
 * unfinished one is read again. Thread-safe.
 */
final class Frontier {

    private final Map<Integer, Partition> partitions = new HashMap<>();
    private int unfinished;

    /** Begins with the offset that is read next. */
    synchronized void begin(int partition, long offset) {
        partitions.put(partition, new Partition(offset));
    }

    synchronized void started(Input input) {
        Partition p = at(input);
        p.next = input.offset() + 1;
        if (p.unfinished.add(input.offset())) {
            unfinished++;
        }
    }

    synchronized void finished(Input input) {
        if (at(input).unfinished.remove(input.offset())) {
            unfinished--;
        }
    }

    /** Inputs started and not finished. */
    synchronized int unfinished() {
        return unfinished;
    }

    /** By partition, the offset to be read first after a crash. */
    synchronized Map<Integer, Long> positions() {
        Map<Integer, Long> positions = new HashMap<>();
        partitions.forEach((id, p) -> positions.put(id, p.unfinished.isEmpty() ? p.next : p.unfinished.first()));
        return positions;
    }

    private Partition at(Input input) {
        Partition p = partitions.get(input.partition());
        if (p == null) {
            throw new IllegalStateException("partition " + input.partition() + " was not begun");
        }
        return p;
    }

    private static final class Partition {
        final TreeSet<Long> unfinished = new TreeSet<>();
        long next;

        Partition(long next) {
            this.next = next;
        }
    }
}
