package io.hereabouts.model.index;

import io.hereabouts.model.interest.EdgeId;
import java.util.Arrays;

/**
 * The answer of {@link FilterIndex#lookup}: for each interested edge, the handles of the neighborhoods that matched, each
 * once. Made once and filled again for each lookup without garbage. Not thread-safe.
 */
public final class Matches {

    private EdgeId[] ids = new EdgeId[0];
    private int[] touched = new int[1];
    private int size;
    private int[] counts = new int[0];
    private long[][] handles = new long[0][];
    private boolean entityKnown;

    /** Whether any neighborhood holds the entity, matched or not. */
    public boolean entityKnown() {
        return entityKnown;
    }

    /** How many edges are interested. */
    public int edges() {
        return size;
    }

    /** The edge at {@code index}, from 0 to {@link #edges()} − 1. */
    public EdgeId edge(int index) {
        return ids[touched[index]];
    }

    /** A small number that stands for the edge as long as the index lives. */
    public int edgeCode(int index) {
        return touched[index];
    }

    /** Handles of the matched neighborhoods; only the first {@link #handleCount} are valid, until the next lookup. */
    public long[] handles(int index) {
        return handles[touched[index]];
    }

    /** How many neighborhoods matched for the edge, at least 1. */
    public int handleCount(int index) {
        return counts[touched[index]];
    }

    void begin(EdgeId[] edgesByCode, int edgeCodes) {
        for (int i = 0; i < size; i++) {
            counts[touched[i]] = 0;
        }
        size = 0;
        entityKnown = false;
        ids = edgesByCode;
        if (handles.length < edgeCodes) {
            int known = handles.length;
            counts = Arrays.copyOf(counts, edgesByCode.length);
            handles = Arrays.copyOf(handles, edgesByCode.length);
            touched = Arrays.copyOf(touched, edgesByCode.length + 1);
            for (int edge = known; edge < handles.length; edge++) {
                handles[edge] = new long[8];
            }
        }
    }

    void entityIsKnown() {
        entityKnown = true;
    }

    /** Neighborhoods come one after the other, so a repeat can only be of the last. */
    void add(int edge, long handle) {
        int count = counts[edge];
        if (count == 0 || handles[edge][count - 1] != handle) {
            addFirst(edge, handle);
        }
    }

    /** A neighborhood's handle that the edge does not have yet. Without branches that depend on which edge comes when. */
    void addFirst(int edge, long handle) {
        int count = counts[edge];
        touched[size] = edge;
        size += 1 + (-count >> 31);
        long[] of = handles[edge];
        if (count == of.length) {
            of = Arrays.copyOf(of, count * 2);
            handles[edge] = of;
        }
        of[count] = handle;
        counts[edge] = count + 1;
    }
}
