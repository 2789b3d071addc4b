package io.hereabouts.model.index;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The versions of the latest removals, so that an older write that comes after its removal stays without effect. Bounded:
 * the removal that was remembered first is forgotten first, which is safe as far as the log itself is in order. Not
 * thread-safe.
 */
final class Removals {

    private final int limit;
    private final Map<Object, Version> latest = new LinkedHashMap<>();

    /** @param limit how many removals are remembered, at least 1 */
    Removals(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("removals to remember: " + limit + ", expected at least 1");
        }
        this.limit = limit;
    }

    /** Whether a write of this version was removed already; a removal wins over a write of the same version. */
    boolean outdates(Object key, long epoch, long version) {
        Version removed = latest.get(key);
        return removed != null && !Versions.isAfter(epoch, version, removed.epoch, removed.version);
    }

    void remember(Object key, long epoch, long version) {
        latest.remove(key);
        latest.put(key, new Version(epoch, version));
        if (latest.size() > limit) {
            Iterator<Object> oldest = latest.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void forget(Object key) {
        latest.remove(key);
    }

    private record Version(long epoch, long version) {}
}
