package io.hereabouts.bridge.retained;

import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last retained publication of each topic name and entity. Last by the order of {@code publications}: when two edges
 * write under one key, {@code retained} may have them the other way round, and what comes late but is older is not taken.
 * Changed and walked through by one thread, which reads the Kafka topic; any thread may ask whether there is room and what
 * a key has.
 */
public final class RetainedTable {

    /** What a record meant for the table. */
    public enum Change {
        /** It is what is retained from now on. */
        TAKEN,
        /** It is there already. */
        SAME,
        /** There is a newer one, which should stand in Kafka, too. */
        OLDER
    }

    /** Objects around each of them, about. */
    private static final int OVERHEAD_BYTES = 256;

    /** Clears of so many bytes are remembered, so that an older publication that comes after one is known for what it is. */
    private static final long CLEARS_BYTES = 16L << 20;

    private final long maxBytes;
    private final Map<RetainedKey, Retained> all = new ConcurrentHashMap<>();
    private final Map<String, List<RetainedKey>> byEntity = new HashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong reserved = new AtomicLong();
    private final Map<RetainedKey, SourcePosition> clears = new LinkedHashMap<>();
    private long clearsBytes;

    /** @param maxBytes of memory that {@link #hasRoom} allows */
    public RetainedTable(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * About how much memory a retained publication takes.
     *
     * @param framed bytes of its record
     */
    public static long bytes(RetainedKey key, int framed) {
        return OVERHEAD_BYTES + 2L * (key.topic().length() + key.entity().length()) + framed;
    }

    /** Takes note of a retained publication. */
    public Change put(Retained next) {
        RetainedKey key = next.key();
        Change change = compare(key, next.position());
        if (change == Change.TAKEN) {
            forgetClear(key);
            remove(key);
            all.put(key, next);
            byEntity.computeIfAbsent(key.entity(), e -> new ArrayList<>(1)).add(key);
            bytes.addAndGet(bytes(key, next.framed().length));
        }
        return change;
    }

    /** Takes note of a clear. */
    public Change clear(RetainedKey key, SourcePosition position) {
        Change change = compare(key, position);
        if (change == Change.TAKEN) {
            remove(key);
            noteClear(key, position);
        }
        return change;
    }

    /** Removes what there is, whatever its position: somebody wants it away who does not know positions. */
    public void forget(RetainedKey key) {
        remove(key);
        forgetClear(key);
    }

    /** Frees the memory of those that have expired. */
    public void expire(long now) {
        for (Retained each : List.copyOf(all.values())) {
            if (each.expiresAt() <= now) {
                remove(each.key());
                noteClear(each.key(), each.position());
            }
        }
    }

    /** The position of what stands under a key, be it a publication or a clear; for the changing thread. */
    public @Nullable SourcePosition position(RetainedKey key) {
        Retained retained = all.get(key);
        return retained == null ? clears.get(key) : retained.position();
    }

    /** All about an entity; for the changing thread. */
    public List<Retained> about(String entity) {
        List<Retained> about = new ArrayList<>(1);
        for (RetainedKey key : byEntity.getOrDefault(entity, List.of())) {
            Retained retained = all.get(key);
            if (retained != null) {
                about.add(retained);
            }
        }
        return about;
    }

    /** The entities that something is retained about; for the changing thread. */
    public Iterable<String> entities() {
        return byEntity.keySet();
    }

    /** How many entities something is retained about; for the changing thread. */
    public int entityCount() {
        return byEntity.size();
    }

    /** What is retained; for any thread. */
    public @Nullable Retained get(RetainedKey key) {
        return all.get(key);
    }

    /** For any thread. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** How many there are; for any thread. */
    public int size() {
        return all.size();
    }

    /** About how much memory they take; for any thread. */
    public long bytes() {
        return bytes.get();
    }

    /** Memory that is about to be taken, or no longer is, by what is on its way to Kafka. For any thread. */
    public void reserve(long more) {
        reserved.addAndGet(more);
    }

    /** Whether there is memory to retain a record of this length under the key. For any thread. */
    public boolean hasRoom(RetainedKey key, int framed) {
        Retained before = all.get(key);
        long freed = before == null ? 0 : bytes(key, before.framed().length);
        return bytes.get() + reserved.get() - freed + bytes(key, framed) <= maxBytes;
    }

    private void noteClear(RetainedKey key, SourcePosition position) {
        if (clears.put(key, position) == null) {
            clearsBytes += bytes(key, 0);
        }
        Iterator<RetainedKey> eldest = clears.keySet().iterator();
        while (clearsBytes > CLEARS_BYTES && eldest.hasNext()) {
            clearsBytes -= bytes(eldest.next(), 0);
            eldest.remove();
        }
    }

    private void forgetClear(RetainedKey key) {
        if (clears.remove(key) != null) {
            clearsBytes -= bytes(key, 0);
        }
    }

    private Change compare(RetainedKey key, SourcePosition next) {
        SourcePosition before = position(key);
        int order = before == null ? -1 : before.compareTo(next);
        return order < 0 ? Change.TAKEN : order == 0 ? Change.SAME : Change.OLDER;
    }

    private void remove(RetainedKey key) {
        Retained before = all.remove(key);
        if (before != null) {
            bytes.addAndGet(-bytes(key, before.framed().length));
            List<RetainedKey> about = byEntity.get(key.entity());
            if (about != null) {
                about.remove(key);
                if (about.isEmpty()) {
                    byEntity.remove(key.entity());
                }
            }
        }
    }
}
