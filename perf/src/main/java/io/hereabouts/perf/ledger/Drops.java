package io.hereabouts.perf.ledger;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which copies of QoS 0 are explained by what edges counted. They count two things under one name: publications that went no
 * further, {@value #KAFKA} and {@value #REFUSED}, of whose copies none came; and copies. A pure rule.
 *
 * @param dropped copies, by reason
 * @param overcounted drops that were counted beyond what is missing and what is in doubt
 */
record Drops(SortedMap<String, Long> dropped, long overcounted) {

    static final String KAFKA = "kafka";
    static final String REFUSED = "refused";

    /** Whether this reason is one of publications. */
    static boolean isOfPublications(String reason) {
        return reason.equals(KAFKA) || reason.equals(REFUSED);
    }

    /**
     * Explains what is missing.
     *
     * @param missing copies that were owed and did not come
     * @param doubtful copies that were not owed and did not come, which may have been counted as well
     * @param untold of each publication of which nothing came, how many copies of the missing are its
     * @param counted by reason
     */
    static Drops explain(long missing, long doubtful, List<Long> untold, Map<String, Long> counted) {
        long publications = 0;
        long copies = 0;
        SortedMap<String, Long> dropped = new TreeMap<>();
        for (Map.Entry<String, Long> entry : counted.entrySet()) {
            if (isOfPublications(entry.getKey())) {
                publications += entry.getValue();
            } else if (entry.getValue() > 0) {
                copies += entry.getValue();
                dropped.put(entry.getKey(), entry.getValue());
            }
        }
        // which of the publications of which nothing came these are, nobody says: any of them, as many as were counted
        List<Long> sizes = untold.stream().sorted().toList();
        int whole = (int) Math.min(publications, sizes.size());
        long least = sizes.subList(0, whole).stream().mapToLong(Long::longValue).sum();
        long most = sizes.subList(sizes.size() - whole, sizes.size()).stream()
                .mapToLong(Long::longValue)
                .sum();
        long byPublication = Math.max(least, Math.min(most, missing - copies));
        if (byPublication > 0) {
            dropped.put("publication", byPublication);
        }
        long over = copies + byPublication - missing;
        if (over > 0) {
            // shown are those that are missing
            for (Map.Entry<String, Long> entry : dropped.entrySet()) {
                long less = Math.min(over, entry.getValue());
                entry.setValue(entry.getValue() - less);
                over -= less;
            }
            dropped.values().removeIf(count -> count == 0);
        }
        return new Drops(dropped, Math.max(0, copies + byPublication - missing - doubtful));
    }
}
