package io.hereabouts.bridge.subscription;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * How far each partition of each generation of the filters has been applied, and by which router task. A partition belongs to the task
 * with the highest owner number; what a deposed one says no longer counts. An owner has loaded everything before its
 * number, which is the offset of its own record. Owned by one thread.
 */
public final class AppliedPositions {

    private static final class Position {
        long owner = -1;
        long applied = -1;
    }

    private record Partition(int generation, int number) {}

    private final Map<Partition, Position> partitions = new HashMap<>();

    /**
     * Takes note of a record of this owner.
     *
     * @return false if the partition has a newer owner: the record must be dropped
     */
    public boolean accept(int generation, int partition, long owner) {
        Position position = position(generation, partition);
        if (owner < position.owner) {
            return false;
        }
        position.owner = owner;
        position.applied = Math.max(position.applied, owner);
        return true;
    }

    /**
     * Takes note that the owner has applied everything up to the offset.
     *
     * @return false if the partition has a newer owner
     */
    public boolean applied(int generation, int partition, long owner, long offset) {
        if (!accept(generation, partition, owner)) {
            return false;
        }
        Position position = position(generation, partition);
        position.applied = Math.max(position.applied, offset);
        return true;
    }

    /** True if the partition has been applied up to the offset. */
    public boolean covers(int generation, int partition, long offset) {
        Position position = partitions.get(new Partition(generation, partition));
        return position != null && position.applied >= offset;
    }

    /** Forgets other generations: one that is given up and made anew begins with other offsets. */
    public void retain(Collection<Integer> generations) {
        partitions.keySet().removeIf(partition -> !generations.contains(partition.generation));
    }

    private Position position(int generation, int partition) {
        return partitions.computeIfAbsent(new Partition(generation, partition), p -> new Position());
    }
}
