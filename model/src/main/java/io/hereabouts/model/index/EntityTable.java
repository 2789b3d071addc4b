package io.hereabouts.model.index;

import io.hereabouts.model.entity.EntityId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Entity ids as small codes, and the neighborhoods (as codes) that each entity is in. An open-addressing table of
 * (hash, record) finds the {@linkplain EntityRecords record}, where the id's bytes are compared, so a hash collision never
 * makes a match; what the entity is in follows right behind them. So a lookup waits twice for memory that is not in the
 * processor's caches, however many entities there are and however many each neighborhood has.
 *
 * <p>Codes are for whoever holds entities for long: records move. An entity without neighborhoods is forgotten by
 * {@link #remove} and its code used again. Not thread-safe.
 */
final class EntityTable {

    private static final int NOWHERE = -1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long K = 0x9E3779B97F4A7C15L;

    /** hash in the high half, record in the low half; {@link #FREE} is free. The length is a power of two. */
    private long[] slots = freeSlots(64);

    /** A record never begins at the last byte of all. */
    private static final long FREE = 0xFFFF_FFFFL;

    /** By code: the record, or {@link #NOWHERE}. */
    private int[] recordOf = new int[16];

    private final EntityRecords records = new EntityRecords();
    private int codes;
    private int live;
    private final IntStack freeCodes = new IntStack();

    /** Fills {@code out} with the neighborhoods of an entity, each once; how many, 0 if it is not known. No garbage. */
    int neighborhoods(byte[] id, IntStack out) {
        int at = slotOf(id, hash(id, 0, id.length));
        return at < 0 ? 0 : records.neighborhoods((int) slots[at], out);
    }

    /** The distinct codes of these ids in ascending order; new ids get codes, and belong nowhere until {@link #add}. */
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
        moved(code, records.add(recordOf[code], neighborhood));
    }

    /** Removes a pair that is there; an entity's last one also removes the entity. */
    void remove(int code, int neighborhood) {
        int record = recordOf[code];
        if (records.count(record) == 1) {
            forget(code);
        } else {
            moved(code, records.remove(record, neighborhood));
        }
    }

    /** Gives back memory that earlier writes left over; some of it, so that no call takes long. */
    void tidy() {
        for (int page = records.wasteful(); page >= 0; page = records.wasteful()) {
            for (int record = records.first(page); record != EntityRecords.NONE; record = records.next(record)) {
                int code = records.code(record);
                if (code < codes && recordOf[code] == record) {
                    moved(code, records.copy(record));
                }
            }
            records.release(page);
        }
    }

    /** Known entities. */
    int size() {
        return live;
    }

    long heapBytes() {
        return 16 + 8L * slots.length + 16 + 4L * recordOf.length + records.heapBytes() + freeCodes.heapBytes();
    }

    /** @throws IllegalArgumentException if this cannot be an entity's id */
    static void check(byte[] id) {
        if (id.length == 0 || id.length > EntityId.MAX_BYTES) {
            throw new IllegalArgumentException("entity id has " + id.length + " bytes");
        }
    }

    private int intern(byte[] id) {
        int hash = hash(id, 0, id.length);
        int known = slotOf(id, hash);
        if (known >= 0) {
            return records.code((int) slots[known]);
        }
        if (4L * (live + 1) > 3L * slots.length) {
            grow();
        }
        int code = freeCodes.isEmpty() ? codes++ : freeCodes.pop();
        if (code == recordOf.length) {
            recordOf = Arrays.copyOf(recordOf, code + (code >> 2));
        }
        int record = records.create(code, id);
        recordOf[code] = record;
        insert(slot(hash, record));
        live++;
        return code;
    }

    /** Where the id is in {@link #slots}, or a negative number. */
    private int slotOf(byte[] id, int hash) {
        int mask = slots.length - 1;
        for (int at = hash & mask; slots[at] != FREE; at = (at + 1) & mask) {
            long slot = slots[at];
            if ((int) (slot >>> 32) == hash && records.is((int) slot, id)) {
                return at;
            }
        }
        return -1;
    }

    private int slotOf(int record) {
        int mask = slots.length - 1;
        long slot = slot(records.hash(record), record);
        int at = (int) (slot >>> 32) & mask;
        while (slots[at] != slot) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void moved(int code, int to) {
        int from = recordOf[code];
        if (from != to) {
            int at = slotOf(from);
            slots[at] = slot((int) (slots[at] >>> 32), to);
            recordOf[code] = to;
            records.drop(from);
        }
    }

    private static long slot(int hash, int record) {
        return (long) hash << 32 | (record & 0xFFFF_FFFFL);
    }

    private void insert(long slot) {
        int mask = slots.length - 1;
        int at = (int) (slot >>> 32) & mask;
        while (slots[at] != FREE) {
            at = (at + 1) & mask;
        }
        slots[at] = slot;
    }

    private void grow() {
        long[] old = slots;
        slots = freeSlots(old.length * 2);
        for (long slot : old) {
            if (slot != FREE) {
                insert(slot);
            }
        }
    }

    private static long[] freeSlots(int length) {
        long[] free = new long[length];
        Arrays.fill(free, FREE);
        return free;
    }

    private void forget(int code) {
        int record = recordOf[code];
        int mask = slots.length - 1;
        int hole = slotOf(record);
        for (int at = (hole + 1) & mask; slots[at] != FREE; at = (at + 1) & mask) {
            int wanted = (int) (slots[at] >>> 32) & mask;
            if (((at - wanted) & mask) >= ((at - hole) & mask)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = FREE;
        recordOf[code] = NOWHERE;
        records.drop(record);
        freeCodes.push(code);
        live--;
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
