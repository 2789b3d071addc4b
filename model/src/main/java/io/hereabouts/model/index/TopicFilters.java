package io.hereabouts.model.index;

import io.hereabouts.model.topic.TopicFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct topic filters as codes, counted by use. A code is never used again for another filter, so what a cache
 * knows of a code stays true; when most codes are dead the owner {@linkplain #renumber renumbers} and clears its caches.
 * Not thread-safe.
 */
final class TopicFilters {

    static final int UNKNOWN = -1;

    private static final int MIN_DEAD = 1024;

    private final Map<TopicFilter, Integer> codes = new HashMap<>();
    private @Nullable TopicFilter[] filters = new TopicFilter[16];
    private int[] uses = new int[16];
    private int end;

    int find(TopicFilter filter) {
        Integer code = codes.get(filter);
        return code == null ? UNKNOWN : code;
    }

    /** The filter's code, one use more. */
    int use(TopicFilter filter) {
        Integer known = codes.get(filter);
        if (known != null) {
            uses[known]++;
            return known;
        }
        if (end == filters.length) {
            filters = Arrays.copyOf(filters, end * 2);
            uses = Arrays.copyOf(uses, end * 2);
        }
        int code = end++;
        codes.put(filter, code);
        filters[code] = filter;
        uses[code] = 1;
        return code;
    }

    /** One use less. */
    void release(int code) {
        if (--uses[code] == 0) {
            codes.remove(filters[code]);
            filters[code] = null;
        }
    }

    boolean matches(int code, String topicName) {
        TopicFilter filter = filters[code];
        return filter != null && filter.matches(topicName);
    }

    /** Distinct filters in use. */
    int size() {
        return codes.size();
    }

    boolean isMostlyDead() {
        int dead = end - codes.size();
        return dead > MIN_DEAD && dead > codes.size();
    }

    /** Numbers the filters in use from 0 and returns the new code of each old one, by old code. */
    int[] renumber() {
        int[] moved = new int[end];
        int next = 0;
        for (int code = 0; code < end; code++) {
            TopicFilter filter = filters[code];
            if (filter != null) {
                moved[code] = next;
                filters[next] = filter;
                uses[next] = uses[code];
                codes.put(filter, next);
                next++;
            }
        }
        Arrays.fill(filters, next, end, null);
        end = next;
        return moved;
    }

    long heapBytes() {
        return 8L * filters.length + 120L * codes.size();
    }
}
