package io.hereabouts.model.index;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.Arrays;

/**
 * What one partition knows of a neighborhood: its slice (entity codes, ascending) and its interests (topic filter codes
 * and edge codes, in no order), each with the version it was last written with. There is one for each neighborhood in each
 * partition, often with few entities and one interest, so what is around them counts. Not thread-safe.
 */
final class Neighborhood {

    static final int ABSENT = -1;

    private static final long[] NONE = {};
    private static final int WORDS = 3;
    private static final int EPOCH = 1;
    private static final int VERSION = 2;

    /** The two halves of its id. */
    final long handle;

    final long tail;
    final int code;

    private boolean hasSlice;
    private long sliceEpoch;
    private long sliceVersion;
    private SortedCodes entities = SortedCodes.NONE;

    int interests;

    /** Of each interest: topic filter in the high half and edge in the low half, epoch, version. */
    private long[] words = NONE;

    Neighborhood(NeighborhoodId id, int code) {
        this.handle = id.handle();
        this.tail = id.tail();
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
        long wanted = what(filter, edge);
        for (int i = 0; i < interests; i++) {
            if (words[WORDS * i] == wanted) {
                return i;
            }
        }
        return ABSENT;
    }

    private static long what(int filter, int edge) {
        return (long) filter << 32 | edge;
    }

    /** The topic filter of an interest in the high half, its edge in the low half. */
    long what(int index) {
        return words[WORDS * index];
    }

    /** The topic filter of an interest. */
    int filter(int index) {
        return (int) (words[WORDS * index] >>> 32);
    }

    /** The edge of an interest. */
    int edge(int index) {
        return (int) words[WORDS * index];
    }

    /** Topic filters have other codes now. */
    void renumber(int[] moved) {
        for (int i = 0; i < interests; i++) {
            words[WORDS * i] = what(moved[filter(i)], edge(i));
        }
    }

    void addInterest(int filter, int edge, long epoch, long version) {
        if (WORDS * interests == words.length) {
            words = Arrays.copyOf(words, WORDS * (interests + Math.max(1, interests / 2)));
        }
        int at = WORDS * interests++;
        words[at] = what(filter, edge);
        words[at + EPOCH] = epoch;
        words[at + VERSION] = version;
    }

    void renewInterest(int index, long epoch, long version) {
        int at = WORDS * index;
        if (Versions.isAfter(epoch, version, words[at + EPOCH], words[at + VERSION])) {
            words[at + EPOCH] = epoch;
            words[at + VERSION] = version;
        }
    }

    /** Whether a removal of this version would remove the interest. */
    boolean isRemovableInterest(int index, long epoch, long version) {
        int at = WORDS * index;
        return !Versions.isAfter(words[at + EPOCH], words[at + VERSION], epoch, version);
    }

    void removeInterest(int index) {
        interests--;
        System.arraycopy(words, WORDS * interests, words, WORDS * index, WORDS);
    }

    boolean isUnused() {
        return !hasSlice && interests == 0;
    }

    long heapBytes() {
        return 72 + entities.heapBytes() + 16 + 8L * words.length;
    }
}
