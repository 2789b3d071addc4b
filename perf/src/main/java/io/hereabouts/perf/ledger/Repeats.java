package io.hereabouts.perf.ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Copies that came again, by QoS, and what tells the client so. Thread-safe.
 *
 * <p>A copy that repeats an earlier one with the same {@code publication-id} is <em>marked</em>. One with another id is of a
 * publication that was taken twice: its publisher sent it again because its connection was lost before it had an answer.
 */
final class Repeats {

    private final Map<Long, String> ids = new HashMap<>();
    private final long[] marked = new long[3];
    private final Map<Integer, long[]> otherwise = new HashMap<>();

    /**
     * A copy came.
     *
     * @param qos that it came with
     * @return whether it is the first
     */
    synchronized boolean came(int publication, int client, int qos, String publicationId) {
        String before = ids.putIfAbsent((long) publication << Integer.SIZE | client, publicationId);
        if (before == null) {
            return true;
        }
        if (before.equals(publicationId)) {
            marked[qos]++;
        } else {
            otherwise.computeIfAbsent(publication, p -> new long[3])[qos]++;
        }
        return false;
    }

    /** With the publication-id of the first. */
    synchronized long marked(int qos) {
        return marked[qos];
    }

    /** With another publication-id, of those publications. */
    synchronized long otherwise(int qos, IntPredicate publications) {
        return otherwise.entrySet().stream()
                .filter(e -> publications.test(e.getKey()))
                .mapToLong(e -> e.getValue()[qos])
                .sum();
    }
}
