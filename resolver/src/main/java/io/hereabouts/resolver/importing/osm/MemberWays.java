package io.hereabouts.resolver.importing.osm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the ways that relations are made of: 8 bytes a node, and a handful a way. First all ways are named, then
 * they are put. For one thread.
 */
final class MemberWays {

    private long[] ids = new long[1024];
    private int size;
    private long[] @Nullable [] nodes = new long[0][];

    /** The way will be asked for. */
    void need(long id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
        }
        ids[size++] = id;
    }

    /** Ends the naming. */
    void prepare() {
        ids = Arrays.stream(ids, 0, size).sorted().distinct().toArray();
        nodes = new long[ids.length][];
    }

    boolean isNeeded(long id) {
        return Arrays.binarySearch(ids, id) >= 0;
    }

    /** Notes the nodes of a way that is needed. */
    void put(long id, long[] ofWay) {
        nodes[Arrays.binarySearch(ids, id)] = ofWay;
    }

    /** The way's nodes, or null if the file did not have it. */
    long @Nullable [] nodes(long id) {
        int index = Arrays.binarySearch(ids, id);
        return index < 0 ? null : nodes[index];
    }
}
