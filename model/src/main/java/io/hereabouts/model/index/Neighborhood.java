package io.hereabouts.model.index;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.Arrays;

/**
 * What one partition knows of a neighborhood: its slice (entity codes, ascending) and its interests (topic filter codes
 * and edge codes, in no order), each with the version it was last written with. Not thread-safe.
 */
final class Neighborhood {

    static final int ABSENT = -1;

    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    final NeighborhoodId id;
    final long handle;
    final int code;

    private boolean hasSlice;
    private long sliceEpoch;
    private long sliceVersion;
    private SortedCodes entities = SortedCodes.NONE;

    int interests;
    int[] filters = NO_INTS;
    int[] edges = NO_INTS;
    private long[] epochs = NO_LONGS;
    private long[] versions = NO_LONGS;

    Neighborhood(NeighborhoodId id, int code) {
        this.id = id;
        this.handle = id.handle();
        this.code = code;
    }

    /** Ascending, a fresh array. */
    int[] entities() {
        return entities.toArray();
    }

    /** Whether a slice of this version would replace what is there. */
    boolean isOlderSlice(long epoch, long version) {
        return !hasSlice || Versions.isAfter(epoch, version, sliceEpoch, sliceVersion);
    }

    /** Whether a removal of this version would remove what is there. */
    boolean isRemovableSlice(long epoch, long version) {
        return hasSlice && !Versions.isAfter(sliceEpoch, sliceVersion, epoch, version);
    }

    boolean hasSlice() {
        return hasSlice;
    }

    void slice(int[] newEntities, long epoch, long version) {
        entities = SortedCodes.of(newEntities);
        hasSlice = true;
        sliceEpoch = epoch;
        sliceVersion = version;
    }

    void removeSlice() {
        entities = SortedCodes.NONE;
        hasSlice = false;
    }

    int findInterest(int filter, int edge) {
        for (int i = 0; i < interests; i++) {
            if (filters[i] == filter && edges[i] == edge) {
                return i;
            }
        }
        return ABSENT;
    }

    void addInterest(int filter, int edge, long epoch, long version) {
        if (interests == filters.length) {
            int larger = interests + Math.max(1, interests / 2);
            filters = Arrays.copyOf(filters, larger);
            edges = Arrays.copyOf(edges, larger);
            epochs = Arrays.copyOf(epochs, larger);
            versions = Arrays.copyOf(versions, larger);
        }
        filters[interests] = filter;
        edges[interests] = edge;
        epochs[interests] = epoch;
        versions[interests] = version;
        interests++;
    }

    void renewInterest(int index, long epoch, long version) {
        if (Versions.isAfter(epoch, version, epochs[index], versions[index])) {
            epochs[index] = epoch;
            versions[index] = version;
        }
    }

    /** Whether a removal of this version would remove the interest. */
    boolean isRemovableInterest(int index, long epoch, long version) {
        return !Versions.isAfter(epochs[index], versions[index], epoch, version);
    }

    void removeInterest(int index) {
        interests--;
        filters[index] = filters[interests];
        edges[index] = edges[interests];
        epochs[index] = epochs[interests];
        versions[index] = versions[interests];
    }

    boolean isUnused() {
        return !hasSlice && interests == 0;
    }

    long heapBytes() {
        return 72 + entities.heapBytes() + 4L * 20 + 24L * filters.length;
    }
}
