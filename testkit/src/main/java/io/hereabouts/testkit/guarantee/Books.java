package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Each expected copy is delivered or dropped with a reason, exactly one of them, and none that was not expected is
 * delivered; the sums agree per QoS. Drops may be told copy by copy, or, where the system only counts, as numbers
 * ({@link #droppedUnnamed}). Copies of publications in doubt are listed apart and owe nothing. Repeats count once.
 */
public final class Books implements Guarantee {

    private final Map<Pair, Expected> expected = new LinkedHashMap<>();
    private final Map<String, Integer> published = new HashMap<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final Set<Pair> delivered = new HashSet<>();
    private final Map<Pair, String> dropped = new HashMap<>();
    private final Map<String, long[]> unnamed = new TreeMap<>();

    @Override
    public String promise() {
        return "each expected copy is delivered or dropped with a reason, exactly one of them";
    }

    @Override
    public synchronized void publishing(Published publication, List<Expected> copies) {
        published.put(publication.id(), publication.qos());
        copies.forEach(e -> expected.put(new Pair(e.publication(), e.client()), e));
    }

    @Override
    public synchronized void acknowledged(String publication) {
        acknowledged.add(publication);
    }

    @Override
    public synchronized void refused(String publication) {
        refused.add(publication);
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        delivered.add(new Pair(delivery.publication(), delivery.client()));
    }

    @Override
    public synchronized void dropped(String publication, String client, String reason) {
        dropped.put(new Pair(publication, client), reason);
    }

    /** The system counted so many drops of copies of this QoS, without naming them. */
    public synchronized void droppedUnnamed(String reason, int qos, long count) {
        unnamed.computeIfAbsent(reason, r -> new long[3])[qos] += count;
    }

    /** The sums of a QoS. */
    public synchronized Sums sums(int qos) {
        Map<String, Long> drops = new TreeMap<>();
        unnamed.forEach((reason, counts) -> {
            if (counts[qos] > 0) {
                drops.merge(reason, counts[qos], Long::sum);
            }
        });
        long owed = 0;
        long came = 0;
        long doubtful = 0;
        for (Map.Entry<Pair, Expected> entry : expected.entrySet()) {
            Pair pair = entry.getKey();
            if (entry.getValue().qos() != qos || refused.contains(pair.publication())) {
                continue;
            }
            if (!acknowledged.contains(pair.publication())) {
                doubtful++;
                continue;
            }
            owed++;
            if (delivered.contains(pair)) {
                came++;
            }
            String reason = dropped.get(pair);
            if (reason != null) {
                drops.merge(reason, 1L, Long::sum);
            }
        }
        long sent = published.values().stream().filter(q -> q == qos).count();
        return new Sums(qos, sent, owed, came, Map.copyOf(drops), doubtful);
    }

    @Override
    public synchronized List<String> violations() {
        List<String> broken = new ArrayList<>();
        long[] open = new long[3];
        List<String> openLines = new ArrayList<>();
        expected.forEach((pair, e) -> {
            boolean came = delivered.contains(pair);
            String reason = dropped.get(pair);
            if (came && reason != null) {
                broken.add(pair + " was delivered and said to be dropped: " + reason);
            } else if (!came && reason == null && acknowledged.contains(pair.publication())) {
                open[e.qos()]++;
                openLines.add(pair + ", QoS " + e.qos() + ", is missing: not delivered, not said to be dropped");
            }
        });
        boolean unbalanced = false;
        for (int qos = 0; qos < open.length; qos++) {
            int of = qos;
            long counted = unnamed.values().stream().mapToLong(c -> c[of]).sum();
            if (counted != open[qos]) {
                unbalanced = true;
                broken.add("QoS " + qos + ": " + open[qos] + " copies are missing, " + counted + " drops were counted: "
                        + sums(qos));
            }
        }
        if (unbalanced) {
            broken.addAll(openLines);
        }
        delivered.stream()
                .filter(pair -> !expected.containsKey(pair) || refused.contains(pair.publication()))
                .map(pair -> pair + " was delivered and not expected")
                .sorted()
                .forEach(broken::add);
        dropped.keySet().stream()
                .filter(pair -> !expected.containsKey(pair))
                .map(pair -> pair + " was said to be dropped and not expected")
                .sorted()
                .forEach(broken::add);
        return broken;
    }

    /**
     * The closing sums of one QoS.
     *
     * @param qos 0, 1 or 2
     * @param published publications of this QoS
     * @param expected copies of this QoS that are owed
     * @param delivered those that came, repeats once
     * @param dropped by reason
     * @param doubtful expected copies of publications that were neither acknowledged nor refused
     */
    public record Sums(
            int qos, long published, long expected, long delivered, Map<String, Long> dropped, long doubtful) {

        /** Of all reasons. */
        public long droppedInAll() {
            return dropped.values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public String toString() {
            return "published " + published + ", expected " + expected + ", delivered " + delivered + ", dropped "
                    + new TreeMap<>(dropped) + ", in doubt " + doubtful;
        }
    }
}
