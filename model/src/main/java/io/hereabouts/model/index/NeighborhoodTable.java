package io.hereabouts.model.index;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The neighborhoods of a partition, by small codes and by their ids: an open-addressing table of codes, so that a
 * neighborhood costs its 16 bytes and not a key with its text. A code that is free is used again. Not thread-safe.
 */
final class NeighborhoodTable {

    private @Nullable Neighborhood[] byCode = new Neighborhood[16];
    private int codes;
    private final IntStack freeCodes = new IntStack();

    /** code + 1; 0 is free. The length is a power of two. */
    private int[] slots = new int[32];

    private int size;

    /** The neighborhood, or null if it is unknown. */
    @Nullable
    Neighborhood get(NeighborhoodId id) {
        int code = slots[slotOf(id.handle(), id.tail())] - 1;
        return code < 0 ? null : byCode[code];
    }

    /** The neighborhood with this code, or null if it is free. */
    @Nullable
    Neighborhood byCode(int code) {
        return byCode[code];
    }

    /** Adds one that is unknown. */
    Neighborhood create(NeighborhoodId id) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        int code = freeCodes.isEmpty() ? codes++ : freeCodes.pop();
        if (code == byCode.length) {
            byCode = Arrays.copyOf(byCode, code + (code >> 1));
        }
        Neighborhood neighborhood = new Neighborhood(id, code);
        byCode[code] = neighborhood;
        slots[slotOf(neighborhood.handle, neighborhood.tail)] = code + 1;
        size++;
        return neighborhood;
    }

    /** Removes one that is there. */
    void remove(Neighborhood neighborhood) {
        int mask = slots.length - 1;
        int hole = slotOf(neighborhood.handle, neighborhood.tail);
        for (int at = (hole + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
            int wanted = hash(at(at).handle) & mask;
            if (((at - wanted) & mask) >= ((at - hole) & mask)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = 0;
        byCode[neighborhood.code] = null;
        freeCodes.push(neighborhood.code);
        size--;
    }

    void forEach(Consumer<Neighborhood> each) {
        for (int code = 0; code < codes; code++) {
            Neighborhood neighborhood = byCode[code];
            if (neighborhood != null) {
                each.accept(neighborhood);
            }
        }
    }

    long heapBytes() {
        return 4L * byCode.length + 4L * slots.length + freeCodes.heapBytes();
    }

    /** Where it is, or the free slot where it would be. */
    private int slotOf(long handle, long tail) {
        int mask = slots.length - 1;
        int at = hash(handle) & mask;
        while (slots[at] != 0) {
            Neighborhood there = at(at);
            if (there.handle == handle && there.tail == tail) {
                return at;
            }
            at = (at + 1) & mask;
        }
        return at;
    }

    private Neighborhood at(int slot) {
        return Objects.requireNonNull(byCode[slots[slot] - 1]);
    }

    private void grow() {
        slots = new int[slots.length * 2];
        forEach(neighborhood -> slots[slotOf(neighborhood.handle, neighborhood.tail)] = neighborhood.code + 1);
    }

    /** An id is a hash already. */
    private static int hash(long handle) {
        return (int) (handle ^ handle >>> 32);
    }
}
