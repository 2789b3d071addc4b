package io.hereabouts.model.index;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the index must answer, by looking at everything; the rules are written anew and share no code with it. */
final class BruteForce {

    private record Write(long epoch, long version, boolean removal, Set<String> ids) {
        boolean beats(Write other) {
            if (epoch != other.epoch) {
                return epoch > other.epoch;
            }
            return version > other.version || (version == other.version && removal && !other.removal);
        }
    }

    private record InterestKey(String neighborhood, String filter, String edge) {}

    private final Map<String, Write> slices = new HashMap<>();
    private final Map<InterestKey, Write> interests = new HashMap<>();

    void slice(String neighborhood, long epoch, long version, boolean removal, Set<String> ids) {
        put(slices, neighborhood, new Write(epoch, version, removal, ids));
    }

    void interest(String neighborhood, String filter, String edge, long epoch, long version, boolean removal) {
        put(interests, new InterestKey(neighborhood, filter, edge), new Write(epoch, version, removal, Set.of()));
    }

    boolean isActive(String neighborhood, String filter, String edge) {
        Write write = interests.get(new InterestKey(neighborhood, filter, edge));
        return write != null && !write.removal;
    }

    /** Edge → matched neighborhoods. */
    Map<String, Set<String>> lookup(String entity, String topic) {
        Map<String, Set<String>> found = new TreeMap<>();
        interests.forEach((key, write) -> {
            if (write.removal
                    || key.filter.startsWith("$share/")
                    || !matches(key.filter.split("/", -1), 0, topic.split("/", -1), 0)) {
                return;
            }
            Write slice = slices.get(key.neighborhood);
            boolean inside =
                    key.neighborhood.equals("*") || (slice != null && !slice.removal && slice.ids.contains(entity));
            if (inside) {
                found.computeIfAbsent(key.edge, e -> new TreeSet<>()).add(key.neighborhood);
            }
        });
        return found;
    }

    /** {@code neighborhood|$share/name/filter} → the edges of which one is to have the publication. */
    Map<String, Set<String>> groups(String entity, String topic) {
        Map<String, Set<String>> found = new TreeMap<>();
        interests.forEach((key, write) -> {
            String[] parts = key.filter.split("/", 3);
            Write slice = slices.get(key.neighborhood);
            if (!write.removal
                    && parts[0].equals("$share")
                    && matches(parts[2].split("/", -1), 0, topic.split("/", -1), 0)
                    && slice != null
                    && !slice.removal
                    && slice.ids.contains(entity)) {
                found.computeIfAbsent(key.neighborhood + "|" + key.filter, g -> new TreeSet<>())
                        .add(key.edge);
            }
        });
        return found;
    }

    long pairs() {
        return slices.values().stream()
                .filter(s -> !s.removal)
                .mapToLong(s -> s.ids.size())
                .sum();
    }

    private static boolean matches(String[] filter, int f, String[] topic, int t) {
        if (f == 0 && t == 0 && topic[0].startsWith("$") && (filter[0].equals("+") || filter[0].equals("#"))) {
            return false;
        }
        if (f == filter.length) {
            return t == topic.length;
        }
        if (filter[f].equals("#")) {
            return true;
        }
        if (t == topic.length) {
            return false;
        }
        return (filter[f].equals("+") || filter[f].equals(topic[t])) && matches(filter, f + 1, topic, t + 1);
    }

    private static <K> void put(Map<K, Write> into, K key, Write write) {
        Write present = into.get(key);
        if (present == null || write.beats(present)) {
            into.put(key, write);
        }
    }
}
