package io.hereabouts.bridge.retained;

import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last publication of each topic name and entity that came to this edge as it was published, and for which
 * neighborhoods. Beyond 64 MiB those that came longest ago are forgotten: what is asked for is seconds old. Owned by one
 * thread.
 */
final class LastLive {

    private static final long MAX_BYTES = 64L << 20;

    /** Objects around each of them, and each of their neighborhoods, about. */
    private static final int OVERHEAD_BYTES = 300;

    private static final int HANDLE_BYTES = 24;

    private record Live(SourcePosition position, List<Long> handles, long arrival) {}

    private final Map<RetainedKey, Live> all = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
    private final Map<String, Set<RetainedKey>> byEntity = new HashMap<>();
    private long bytes;

    private static long bytes(RetainedKey key, Live live) {
        return OVERHEAD_BYTES
                + 2L * (key.topic().length() + key.entity().length())
                + (long) HANDLE_BYTES * live.handles().size();
    }

    private void forgetEldest() {
        Iterator<Map.Entry<RetainedKey, Live>> eldest = all.entrySet().iterator();
        while (bytes > MAX_BYTES && eldest.hasNext()) {
            Map.Entry<RetainedKey, Live> next = eldest.next();
            eldest.remove();
            bytes -= bytes(next.getKey(), next.getValue());
            forget(next.getKey());
        }
    }

    private void forget(RetainedKey key) {
        Set<RetainedKey> keys = byEntity.get(key.entity());
        if (keys != null && keys.remove(key) && keys.isEmpty()) {
            byEntity.remove(key.entity());
        }
    }

    /** A publication has come. */
    void note(RetainedKey key, SourcePosition position, List<Long> handles, long arrival) {
        Live live = new Live(position, List.copyOf(handles), arrival);
        Live before = all.put(key, live);
        bytes += bytes(key, live) - (before == null ? 0 : bytes(key, before));
        if (before == null) {
            byEntity.computeIfAbsent(key.entity(), e -> new HashSet<>(2)).add(key);
        }
        forgetEldest();
    }

    /**
     * Whether this publication or a later one of its key has come for a neighborhood.
     *
     * @param since only what came after this counts
     */
    boolean reached(RetainedKey key, SourcePosition position, long handle, long since) {
        Live live = all.get(key);
        return live != null
                && live.arrival() > since
                && live.position().compareTo(position) >= 0
                && live.handles().contains(handle);
    }

    /** The entity is no longer in the neighborhood: should it come back, nothing has been told of it. */
    void left(long handle, String entity) {
        for (RetainedKey key : byEntity.getOrDefault(entity, Set.of())) {
            all.computeIfPresent(key, (k, live) -> {
                Live left = new Live(
                        live.position(),
                        live.handles().stream().filter(h -> h != handle).toList(),
                        live.arrival());
                bytes += bytes(k, left) - bytes(k, live);
                return left;
            });
        }
    }
}
