package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells the two passes through an hour that comes twice by the order of an entity's rows in one file: they are of the
 * first pass until one is not later than the row before it; that one and all after it are of the second. Memory grows
 * with the entities that have such rows. Not thread-safe.
 */
final class OverlapOrder {

    private final Map<Pass, LocalDateTime> last = new HashMap<>();
    private final Set<Pass> second = new HashSet<>();

    /** An entity in the hour of one change of the clocks. */
    private record Pass(EntityId entity, ZoneOffsetTransition change) {}

    /** Whether the entity's next row in this overlap is of the second pass. */
    boolean isSecond(EntityId entity, ZoneOffsetTransition change, LocalDateTime local) {
        Pass pass = new Pass(entity, change);
        if (second.contains(pass)) {
            return true;
        }
        LocalDateTime before = last.put(pass, local);
        if (before == null || local.isAfter(before)) {
            return false;
        }
        return second.add(pass);
    }
}
