package io.hereabouts.bridge;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was put or asked for last, within a bound: the rest is forgotten, what was used longest ago first. For what clients
 * name, who could otherwise fill the memory with long names. Owned by one thread.
 */
public final class RecentlyUsed<K, V> {

    private final long bound;
    private final ToIntBiFunction<K, V> weight;
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
    private long total;

    /** @param weight of an entry, at least 1; the sum of all is at most {@code bound}, the newest one left aside */
    public RecentlyUsed(long bound, ToIntBiFunction<K, V> weight) {
        this.bound = bound;
        this.weight = weight;
    }

    public void put(K key, V value) {
        V before = entries.put(key, value);
        total += weight.applyAsInt(key, value) - (before == null ? 0 : weight.applyAsInt(key, before));
        Iterator<Map.Entry<K, V>> eldest = entries.entrySet().iterator();
        while (total > bound && entries.size() > 1) {
            Map.Entry<K, V> entry = eldest.next();
            total -= weight.applyAsInt(entry.getKey(), entry.getValue());
            eldest.remove();
        }
    }

    public @Nullable V get(K key) {
        return entries.get(key);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }
}
