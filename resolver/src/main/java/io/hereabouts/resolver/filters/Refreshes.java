package io.hereabouts.resolver.filters;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Neighborhoods to be resolved again because the world changed, first come first served, a few at a time: whoever
 * subscribes meanwhile does not queue behind them. One that fails is tried again some time later. For one thread.
 */
final class Refreshes {

    private static final long RETRY_MILLIS = 5_000;

    private final int limit;
    private final Set<NeighborhoodId> queue = new LinkedHashSet<>();
    private final Set<NeighborhoodId> running = new HashSet<>();
    /** Since all wait equally long, the soonest comes first. */
    private final Map<NeighborhoodId, Long> failed = new LinkedHashMap<>();

    /** @param limit how many may be resolved at a time, at least 1 */
    Refreshes(int limit) {
        this.limit = limit;
    }

    void add(NeighborhoodId id) {
        failed.remove(id);
        queue.add(id);
    }

    void addLater(NeighborhoodId id, long now) {
        failed.putIfAbsent(id, now + RETRY_MILLIS);
    }

    /** It is being resolved for somebody who waits for it. */
    void overtaken(NeighborhoodId id) {
        queue.remove(id);
        failed.remove(id);
    }

    /** Its resolution has ended, if it was one of these. */
    void ended(NeighborhoodId id) {
        running.remove(id);
    }

    /** The next one to be resolved, which is then running; null if there is none or too many are. */
    @Nullable
    NeighborhoodId next(long now) {
        Iterator<Map.Entry<NeighborhoodId, Long>> soonest = failed.entrySet().iterator();
        while (soonest.hasNext()) {
            Map.Entry<NeighborhoodId, Long> entry = soonest.next();
            if (entry.getValue() > now) {
                break;
            }
            soonest.remove();
            queue.add(entry.getKey());
        }
        if (queue.isEmpty() || running.size() >= limit) {
            return null;
        }
        Iterator<NeighborhoodId> first = queue.iterator();
        NeighborhoodId id = first.next();
        first.remove();
        running.add(id);
        return id;
    }

    /** How many wait for their turn, or to be tried again. */
    int waiting() {
        return queue.size() + failed.size();
    }
}
