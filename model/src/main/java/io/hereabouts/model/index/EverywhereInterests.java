package io.hereabouts.model.index;

import io.hereabouts.model.topic.TopicFilter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The interests of plain subscriptions, which every publication is a candidate for: a tree of topic filter levels, so
 * that a topic name meets only the filters that match it, however many there are. Not thread-safe.
 */
final class EverywhereInterests {

    private final Node root = new Node();
    private long changes;
    private int size;

    /** Changes whenever the answer to {@link #edges} may have changed. */
    long stamp() {
        return changes;
    }

    int size() {
        return size;
    }

    /** Adds or renews an interest. */
    void apply(TopicFilter filter, int edge, long epoch, long version) {
        Node node = root;
        for (String level : filter.value().split("/", -1)) {
            node = node.children.computeIfAbsent(level, l -> new Node());
        }
        int at = node.find(edge);
        if (at < 0) {
            node.add(edge, epoch, version);
            size++;
            changes++;
        } else if (Versions.isAfter(epoch, version, node.epochs[at], node.versions[at])) {
            node.epochs[at] = epoch;
            node.versions[at] = version;
        }
    }

    boolean contains(TopicFilter filter, int edge) {
        Node node = find(filter);
        return node != null && node.find(edge) >= 0;
    }

    /** Removes an interest unless it was written after this version. */
    void remove(TopicFilter filter, int edge, long epoch, long version) {
        Node node = find(filter);
        int at = node == null ? -1 : node.find(edge);
        if (node == null || at < 0 || Versions.isAfter(node.epochs[at], node.versions[at], epoch, version)) {
            return;
        }
        node.remove(at);
        size--;
        changes++;
        prune(root, filter.value().split("/", -1));
    }

    /** The distinct edges that have an interest whose topic filter matches. */
    int[] edges(String topicName) {
        Edges found = new Edges();
        String[] levels = topicName.split("/", -1);
        collect(root, levels, 0, topicName.charAt(0) == '$', found);
        return Arrays.copyOf(found.edges, found.size);
    }

    private static void collect(Node node, String[] levels, int depth, boolean reserved, Edges found) {
        boolean wildcards = depth > 0 || !reserved;
        if (wildcards) {
            found.addAll(node.children.get("#"));
        }
        if (depth == levels.length) {
            found.addAll(node);
            return;
        }
        Node exact = node.children.get(levels[depth]);
        if (exact != null) {
            collect(exact, levels, depth + 1, reserved, found);
        }
        Node any = wildcards ? node.children.get("+") : null;
        if (any != null) {
            collect(any, levels, depth + 1, reserved, found);
        }
    }

    private @Nullable Node find(TopicFilter filter) {
        Node node = root;
        for (String level : filter.value().split("/", -1)) {
            node = node.children.get(level);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    /** Removes the nodes of these levels that hold nothing any more, from the last one up. */
    private static void prune(Node root, String[] levels) {
        Node[] path = new Node[levels.length + 1];
        path[0] = root;
        for (int i = 0; i < levels.length; i++) {
            Node child = path[i].children.get(levels[i]);
            if (child == null) {
                return;
            }
            path[i + 1] = child;
        }
        for (int i = levels.length; i > 0 && path[i].count == 0 && path[i].children.isEmpty(); i--) {
            path[i - 1].children.remove(levels[i - 1]);
        }
    }

    private static final class Node {
        private static final int[] NO_INTS = {};
        private static final long[] NO_LONGS = {};

        private final Map<String, Node> children = new HashMap<>(2);
        private int count;
        private int[] edges = NO_INTS;
        private long[] epochs = NO_LONGS;
        private long[] versions = NO_LONGS;

        int find(int edge) {
            for (int i = 0; i < count; i++) {
                if (edges[i] == edge) {
                    return i;
                }
            }
            return -1;
        }

        void add(int edge, long epoch, long version) {
            if (count == edges.length) {
                int larger = count + Math.max(1, count / 2);
                edges = Arrays.copyOf(edges, larger);
                epochs = Arrays.copyOf(epochs, larger);
                versions = Arrays.copyOf(versions, larger);
            }
            edges[count] = edge;
            epochs[count] = epoch;
            versions[count] = version;
            count++;
        }

        void remove(int at) {
            count--;
            edges[at] = edges[count];
            epochs[at] = epochs[count];
            versions[at] = versions[count];
        }
    }

    private static final class Edges {
        private int[] edges = new int[4];
        private int size;

        void addAll(@Nullable Node node) {
            if (node == null) {
                return;
            }
            for (int i = 0; i < node.count; i++) {
                add(node.edges[i]);
            }
        }

        private void add(int edge) {
            for (int i = 0; i < size; i++) {
                if (edges[i] == edge) {
                    return;
                }
            }
            if (size == edges.length) {
                edges = Arrays.copyOf(edges, size * 2);
            }
            edges[size++] = edge;
        }
    }
}
