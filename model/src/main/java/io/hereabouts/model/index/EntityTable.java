package io.hereabouts.model.index;

import io.hereabouts.model.entity.EntityId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Entity ids as small codes, and the neighborhoods (as codes) that each entity is in. An open-addressing table of
 * (hash, code) finds the code; the id's bytes are kept and compared, so a hash collision never makes a match. An entity
 * without neighborhoods is forgotten and its code used again. Not thread-safe.
 */
final class EntityTable {

    static final int UNKNOWN = -1;

    private static final int NOWHERE = -1;
    private static final int[] NO_LIST = {};
    private static final int MIN_GARBAGE = 1 << 16;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long K = 0x9E3779B97F4A7C15L;

    /** hash in the high half, code + 1 in the low half; 0 is free. The length is a power of two. */
    private long[] slots = new long[64];

    /** By code: where the id begins in {@link #ids}, which holds (length − 1, bytes) one after the other. */
    private int[] starts = new int[16];

    /** By code: a neighborhood, or {@link #NOWHERE}, or −2 − index into {@link #lists}. */
    private int[] homes = new int[16];

    private byte[] ids = new byte[256];
    private int idsEnd;
    private int garbage;
    private int codes;
    private int live;
    private final IntStack freeCodes = new IntStack();

    /** (count, neighborhoods…) of the entities that are in two or more. */
    private int[][] lists = new int[16][];

    private int listEnd;
    private final IntStack freeLists = new IntStack();
    private long listBytes;

    /** The code of a known entity, or {@link #UNKNOWN}. Makes no garbage. */
    int find(byte[] id) {
        int hash = hash(id);
        int mask = slots.length - 1;
        for (int at = hash & mask; slots[at] != 0; at = (at + 1) & mask) {
            if ((int) (slots[at] >>> 32) == hash) {
                int code = (int) slots[at] - 1;
                int start = starts[code];
                int length = (ids[start] & 0xff) + 1;
                if (Arrays.equals(ids, start + 1, start + 1 + length, id, 0, id.length)) {
                    return code;
                }
            }
        }
        return UNKNOWN;
    }

    /** The distinct codes of these ids in ascending order; new ids get codes. */
    int[] intern(List<byte[]> wanted) {
        int[] found = new int[wanted.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = intern(wanted.get(i));
        }
        Arrays.sort(found);
        int distinct = 0;
        for (int i = 0; i < found.length; i++) {
            if (i == 0 || found[i] != found[i - 1]) {
                found[distinct++] = found[i];
            }
        }
        return distinct == found.length ? found : Arrays.copyOf(found, distinct);
    }

    /** Adds a pair that is not there yet. */
    void add(int code, int neighborhood) {
        int home = homes[code];
        if (home == NOWHERE) {
            homes[code] = neighborhood;
        } else if (home >= 0) {
            homes[code] = -2 - newList(home, neighborhood);
        } else {
            int list = -2 - home;
            int[] members = lists[list];
            int count = members[0];
            if (count + 1 == members.length) {
                int[] larger = Arrays.copyOf(members, members.length + Math.max(2, members.length / 4));
                listBytes += 4L * (larger.length - members.length);
                lists[list] = larger;
                members = larger;
            }
            members[count + 1] = neighborhood;
            members[0] = count + 1;
        }
    }

    /** Removes a pair that is there; an entity's last one also removes the entity. */
    void remove(int code, int neighborhood) {
        int home = homes[code];
        if (home >= 0) {
            forget(code);
            return;
        }
        int list = -2 - home;
        int[] members = lists[list];
        int count = members[0];
        for (int i = 1; i <= count; i++) {
            if (members[i] == neighborhood) {
                members[i] = members[count];
                break;
            }
        }
        members[0] = count - 1;
        if (count == 2) {
            homes[code] = members[1];
            listBytes -= 16 + 4L * members.length;
            lists[list] = NO_LIST;
            freeLists.push(list);
        }
    }

    /** How many neighborhoods the entity is in. */
    int count(int code) {
        int home = homes[code];
        return home >= 0 ? 1 : home == NOWHERE ? 0 : lists[-2 - home][0];
    }

    /** One of the entity's neighborhoods. */
    int neighborhood(int code, int index) {
        int home = homes[code];
        return home >= 0 ? home : lists[-2 - home][index + 1];
    }

    /** Known entities. */
    int size() {
        return live;
    }

    long heapBytes() {
        return 8L * slots.length
                + 4L * starts.length
                + 4L * homes.length
                + ids.length
                + 4L * lists.length
                + listBytes
                + freeCodes.heapBytes()
                + freeLists.heapBytes();
    }

    /** @throws IllegalArgumentException if this cannot be an entity's id */
    static void check(byte[] id) {
        if (id.length == 0 || id.length > EntityId.MAX_BYTES) {
            throw new IllegalArgumentException("entity id has " + id.length + " bytes");
        }
    }

    private int intern(byte[] id) {
        int known = find(id);
        if (known != UNKNOWN) {
            return known;
        }
        if (4L * (live + 1) > 3L * slots.length) {
            grow();
        }
        int code = freeCodes.isEmpty() ? codes++ : freeCodes.pop();
        if (code == starts.length) {
            int larger = code + (code >> 1);
            starts = Arrays.copyOf(starts, larger);
            homes = Arrays.copyOf(homes, larger);
        }
        homes[code] = NOWHERE;
        starts[code] = keep(id);
        insert(hash(id), code);
        live++;
        return code;
    }

    private int keep(byte[] id) {
        int start = idsEnd;
        int end = Math.addExact(start, id.length + 1);
        if (end > ids.length) {
            ids = Arrays.copyOf(ids, (int) Math.min(Integer.MAX_VALUE - 8L, end + (end >> 1)));
        }
        ids[start] = (byte) (id.length - 1);
        System.arraycopy(id, 0, ids, start + 1, id.length);
        idsEnd = end;
        return start;
    }

    private int newList(int first, int second) {
        int list = freeLists.isEmpty() ? listEnd++ : freeLists.pop();
        if (list == lists.length) {
            lists = Arrays.copyOf(lists, list + (list >> 1));
        }
        lists[list] = new int[] {2, first, second};
        listBytes += 16 + 12;
        return list;
    }

    private void insert(int hash, int code) {
        int mask = slots.length - 1;
        int at = hash & mask;
        while (slots[at] != 0) {
            at = (at + 1) & mask;
        }
        slots[at] = (long) hash << 32 | (code + 1);
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        for (long slot : old) {
            if (slot != 0) {
                insert((int) (slot >>> 32), (int) slot - 1);
            }
        }
    }

    private void forget(int code) {
        int start = starts[code];
        int length = (ids[start] & 0xff) + 1;
        int hash = hash(ids, start + 1, length);
        int mask = slots.length - 1;
        int hole = hash & mask;
        while ((int) slots[hole] != code + 1) {
            hole = (hole + 1) & mask;
        }
        for (int at = (hole + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
            int wanted = (int) (slots[at] >>> 32) & mask;
            if (((at - wanted) & mask) >= ((at - hole) & mask)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = 0;
        homes[code] = NOWHERE;
        starts[code] = -1;
        freeCodes.push(code);
        live--;
        garbage += length + 1;
        if (garbage > MIN_GARBAGE && garbage > idsEnd / 2) {
            compact();
        }
    }

    private void compact() {
        byte[] old = ids;
        ids = new byte[idsEnd - garbage + MIN_GARBAGE];
        int end = 0;
        for (int code = 0; code < codes; code++) {
            if (starts[code] >= 0) {
                int bytes = (old[starts[code]] & 0xff) + 2;
                System.arraycopy(old, starts[code], ids, end, bytes);
                starts[code] = end;
                end += bytes;
            }
        }
        idsEnd = end;
        garbage = 0;
    }

    private static int hash(byte[] id) {
        return hash(id, 0, id.length);
    }

    static int hash(byte[] bytes, int from, int length) {
        long h = length * K;
        int at = from;
        int end = from + length;
        for (; at + 8 <= end; at += 8) {
            h = mix(h ^ (long) LONG.get(bytes, at));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << 8 | (bytes[at] & 0xff);
        }
        h = mix(h ^ rest);
        return (int) (h ^ (h >>> 32));
    }

    private static long mix(long x) {
        long y = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
        return (y ^ (y >>> 29)) * K;
    }
}
