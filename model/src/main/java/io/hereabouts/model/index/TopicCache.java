package io.hereabouts.model.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a topic name: for each topic filter that was asked about, whether it matches (two bits a filter, found
 * out when first asked, so only the filters of candidates are ever matched), and the edges that {@code *} interests
 * serve. Bounded in bytes: names live in a young and an old table; a name that is used moves to the young one; when that
 * is half of the bound, the old one is dropped. A hit makes no garbage. Not thread-safe.
 */
final class TopicCache {

    private static final int UNKNOWN = 0;
    private static final int NO = 2;
    private static final int YES = 3;

    /** Filters with a code beyond it are matched afresh each time: 16,384 filters are 4 KiB a topic name. */
    private static final int MAX_CACHED_FILTERS = 16_384;

    private final long halfBound;
    private final TopicFilters filters;
    private Table young = new Table();
    private Table old = new Table();

    TopicCache(TopicFilters filters, long maxBytes) {
        this.filters = filters;
        this.halfBound = maxBytes / 2;
    }

    /** The entry of the topic name in these bytes; a new one if it is not known. */
    Entry get(byte[] bytes, int from, int length) {
        int hash = EntityTable.hash(bytes, from, length);
        Entry entry = young.find(hash, bytes, from, length);
        if (entry != null) {
            return entry;
        }
        entry = old.remove(hash, bytes, from, length);
        if (entry == null) {
            entry = new Entry(hash, Arrays.copyOfRange(bytes, from, from + length));
        }
        if (young.bytes > halfBound) {
            old = young;
            young = new Table();
        }
        young.add(entry);
        return entry;
    }

    /** Whether the filter with this code matches the entry's topic name. */
    boolean matches(Entry entry, int filter) {
        if (filter >= MAX_CACHED_FILTERS) {
            return filters.matches(filter, entry.name);
        }
        int word = filter >>> 5;
        int shift = (filter & 31) << 1;
        long[] states = entry.states;
        if (word < states.length) {
            int state = (int) (states[word] >>> shift) & 3;
            if (state != UNKNOWN) {
                return state == YES;
            }
        } else {
            states = Arrays.copyOf(states, word + 1);
            young.bytes += 8L * (states.length - entry.states.length);
            entry.states = states;
        }
        boolean matches = filters.matches(filter, entry.name);
        states[word] |= (long) (matches ? YES : NO) << shift;
        return matches;
    }

    void edgesOfEverywhere(Entry entry, int[] edges, long stamp) {
        young.bytes += 4L * (edges.length - entry.edgesOfEverywhere.length);
        entry.edgesOfEverywhere = edges;
        entry.stamp = stamp;
    }

    void clear() {
        young = new Table();
        old = new Table();
    }

    long heapBytes() {
        return young.bytes + old.bytes;
    }

    /** One topic name. */
    static final class Entry {

        private static final long[] NO_STATES = {};
        private static final int[] NO_EDGES = {};

        final String name;
        private final int hash;
        private final byte[] bytes;
        private long[] states = NO_STATES;
        private int[] edgesOfEverywhere = NO_EDGES;
        private long stamp = -1;
        private @Nullable Entry next;

        private Entry(int hash, byte[] bytes) {
            this.hash = hash;
            this.bytes = bytes;
            this.name = new String(bytes, StandardCharsets.UTF_8);
        }

        int[] edgesOfEverywhere() {
            return edgesOfEverywhere;
        }

        boolean isStamped(long wanted) {
            return stamp == wanted;
        }

        private long heapBytes() {
            return 120 + 3L * bytes.length + 8L * states.length + 4L * edgesOfEverywhere.length;
        }

        private boolean is(int otherHash, byte[] other, int from, int length) {
            return hash == otherHash && Arrays.equals(bytes, 0, bytes.length, other, from, from + length);
        }
    }

    private static final class Table {

        private @Nullable Entry[] buckets = new Entry[64];
        private int size;
        private long bytes = 8 * 64;

        @Nullable
        Entry find(int hash, byte[] name, int from, int length) {
            Entry entry = buckets[hash & (buckets.length - 1)];
            while (entry != null && !entry.is(hash, name, from, length)) {
                entry = entry.next;
            }
            return entry;
        }

        void add(Entry entry) {
            if (size == buckets.length) {
                grow();
            }
            link(entry);
            size++;
            bytes += entry.heapBytes();
        }

        @Nullable
        Entry remove(int hash, byte[] name, int from, int length) {
            int bucket = hash & (buckets.length - 1);
            Entry before = null;
            for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
                if (entry.is(hash, name, from, length)) {
                    if (before == null) {
                        buckets[bucket] = entry.next;
                    } else {
                        before.next = entry.next;
                    }
                    size--;
                    bytes -= entry.heapBytes();
                    return entry;
                }
                before = entry;
            }
            return null;
        }

        private void link(Entry entry) {
            int bucket = entry.hash & (buckets.length - 1);
            entry.next = buckets[bucket];
            buckets[bucket] = entry;
        }

        private void grow() {
            @Nullable Entry[] all = buckets;
            buckets = new Entry[all.length * 2];
            bytes += 8L * all.length;
            for (Entry first : all) {
                Entry entry = first;
                while (entry != null) {
                    Entry next = entry.next;
                    link(entry);
                    entry = next;
                }
            }
        }
    }
}
