package io.hereabouts.model.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * One record for each entity, id and neighborhoods beside each other, in pages of bytes:
 *
 * <pre>{@code
 *   id length − 1 (1) · code (4) · width of a neighborhood − 1 (2 bits), count (30 bits) · id · neighborhoods · room
 * }</pre>
 *
 * A neighborhood takes as many bytes as the entity's largest needs; room follows from the count, see {@link #capacity},
 * so a record's size follows from itself. A record that outgrows its room or leaves too much of it is written anew at the
 * end. Of what is left behind each page keeps the sum; a page that is a quarter waste is emptied while all are a sixth.
 * A record is named by page and byte in it, which name nothing once it was dropped. Not thread-safe.
 */
final class EntityRecords {

    static final int NONE = -1;

    private static final int PAGE_BITS = 16;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MAX_PAGES = 1 << (32 - PAGE_BITS);
    /** A larger record has a page to itself. */
    private static final int LARGE = PAGE / 8;

    private static final int CODE = 1;
    private static final int COUNT = 5;
    private static final int ID = 9;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NO_PAGE = {};

    private byte[][] pages = new byte[4][];
    private int[] ends = new int[4];
    private int[] waste = new int[4];
    private int pageEnd;
    private final IntStack freePages = new IntStack();
    private int open = NONE;
    private long pageBytes;
    private long wasted;

    /** A record without neighborhoods; they must come before anything else does. */
    int create(int code, byte[] id) {
        int record = allocate(size(id.length, 1, 1));
        byte[] page = page(record);
        int at = at(record);
        page[at] = (byte) (id.length - 1);
        INT.set(page, at + CODE, code);
        INT.set(page, at + COUNT, 0);
        System.arraycopy(id, 0, page, at + ID, id.length);
        return record;
    }

    boolean is(int record, byte[] id) {
        byte[] page = page(record);
        int from = at(record) + ID;
        return idLength(page, at(record)) == id.length && Arrays.equals(page, from, from + id.length, id, 0, id.length);
    }

    int hash(int record) {
        byte[] page = page(record);
        int at = at(record);
        return EntityTable.hash(page, at + ID, idLength(page, at));
    }

    int code(int record) {
        return (int) INT.get(page(record), at(record) + CODE);
    }

    int count(int record) {
        return (int) INT.get(page(record), at(record) + COUNT) >>> 2;
    }

    /** Appends the neighborhoods; how many. */
    int neighborhoods(int record, IntStack out) {
        byte[] page = page(record);
        int at = at(record);
        int header = (int) INT.get(page, at + COUNT);
        int count = header >>> 2;
        int width = (header & 3) + 1;
        int mask = -1 >>> (32 - 8 * width);
        int[] into = out.resized(count);
        int from = at + ID + idLength(page, at);
        for (int i = 0; i < count; i++) {
            into[i] = (int) INT.get(page, from) & mask;
            from += width;
        }
        return count;
    }

    /** Adds a neighborhood that is not there; where the record is now. The old one, if it moved, is to be dropped. */
    int add(int record, int neighborhood) {
        byte[] page = page(record);
        int header = (int) INT.get(page, at(record) + COUNT);
        int count = header >>> 2;
        int width = (header & 3) + 1;
        int wider = Math.max(width, widthOf(neighborhood));
        int to = resized(record, count + 1, count, wider);
        set(to, count, neighborhood, wider);
        INT.set(page(to), at(to) + COUNT, (count + 1) << 2 | (wider - 1));
        return to;
    }

    /** Removes a neighborhood that is there, not the last; where the record is now, as {@link #add}. */
    int remove(int record, int neighborhood) {
        int header = (int) INT.get(page(record), at(record) + COUNT);
        int count = header >>> 2;
        int width = (header & 3) + 1;
        int index = 0;
        while (get(record, index, width) != neighborhood) {
            index++;
        }
        set(record, index, get(record, count - 1, width), width);
        int to = resized(record, count - 1, count - 1, width);
        INT.set(page(to), at(to) + COUNT, (count - 1) << 2 | (width - 1));
        return to;
    }

    /** The same record at the end. */
    int copy(int record) {
        byte[] page = page(record);
        int size = size(page, at(record));
        int to = allocate(size);
        System.arraycopy(page, at(record), page(to), at(to), size);
        return to;
    }

    /** What is there is no longer needed. */
    void drop(int record) {
        int page = record >>> PAGE_BITS;
        int size = size(pages[page], at(record));
        waste[page] += size;
        wasted += size;
        if (size > LARGE) {
            release(page);
        }
    }

    /** A page that is worth being emptied, {@link #first} to {@link #next}, and {@link #release released}; or {@link #NONE}. */
    int wasteful() {
        if (wasted < 2 * PAGE || wasted < pageBytes / 6) {
            return NONE;
        }
        int worst = NONE;
        for (int page = 0; page < pageEnd; page++) {
            if (page != open && waste[page] >= PAGE / 4 && (worst == NONE || waste[page] > waste[worst])) {
                worst = page;
            }
        }
        return worst;
    }

    int first(int page) {
        return ends[page] == 0 ? NONE : page << PAGE_BITS;
    }

    /** The record that follows, dropped or not. */
    int next(int record) {
        int page = record >>> PAGE_BITS;
        int at = at(record) + size(pages[page], at(record));
        return at >= ends[page] ? NONE : page << PAGE_BITS | at;
    }

    /** Nothing in the page is needed. */
    void release(int page) {
        wasted -= waste[page];
        pageBytes -= pages[page].length;
        pages[page] = NO_PAGE;
        ends[page] = 0;
        waste[page] = 0;
        freePages.push(page);
    }

    long heapBytes() {
        return pageBytes + 16L * (pageEnd - freePages.size()) + 3 * 16 + 12L * pages.length + freePages.heapBytes();
    }

    /** How many neighborhoods a record of so many has room for: 1, then steps of 4, then of an eighth. */
    private static int capacity(int count) {
        if (count <= 1) {
            return 1;
        }
        int step = Math.max(4, Integer.highestOneBit(count) >> 3);
        return (count + step - 1) / step * step;
    }

    private static int size(int idLength, int count, int width) {
        // the last neighborhood is read and written as an int
        return Math.addExact(ID + idLength + 4 - width, Math.multiplyExact(capacity(count), width));
    }

    private static int size(byte[] page, int at) {
        int header = (int) INT.get(page, at + COUNT);
        return size(idLength(page, at), header >>> 2, (header & 3) + 1);
    }

    private static int widthOf(int neighborhood) {
        return Math.max(1, (39 - Integer.numberOfLeadingZeros(neighborhood)) / 8);
    }

    /** This record with room for {@code count} neighborhoods of this width, of which the first {@code kept} are there. */
    private int resized(int record, int count, int kept, int width) {
        byte[] page = page(record);
        int at = at(record);
        int length = idLength(page, at);
        int size = size(length, count, width);
        int oldWidth = ((int) INT.get(page, at + COUNT) & 3) + 1;
        if (size == size(page, at) && (kept == 0 || width == oldWidth)) {
            return record;
        }
        int to = allocate(size);
        System.arraycopy(page, at, page(to), at(to), ID + length);
        for (int i = 0; i < kept; i++) {
            set(to, i, get(record, i, oldWidth), width);
        }
        return to;
    }

    private int get(int record, int index, int width) {
        byte[] page = page(record);
        int at = at(record);
        return (int) INT.get(page, at + ID + idLength(page, at) + index * width) & (-1 >>> (32 - 8 * width));
    }

    /** Overwrites nothing of the record but this neighborhood. */
    private void set(int record, int index, int neighborhood, int width) {
        byte[] page = page(record);
        int at = at(record);
        int from = at + ID + idLength(page, at) + index * width;
        int rest = neighborhood;
        for (int i = 0; i < width; i++) {
            page[from + i] = (byte) rest;
            rest >>>= 8;
        }
    }

    private int allocate(int size) {
        if (size > LARGE) {
            int page = newPage(size);
            ends[page] = size;
            return page << PAGE_BITS;
        }
        if (open == NONE || ends[open] + size > PAGE) {
            if (open != NONE) {
                wasted += PAGE - ends[open];
                waste[open] += PAGE - ends[open];
            }
            open = newPage(PAGE);
        }
        int at = ends[open];
        ends[open] = at + size;
        return open << PAGE_BITS | at;
    }

    private int newPage(int size) {
        int page = freePages.isEmpty() ? pageEnd++ : freePages.pop();
        if (page == MAX_PAGES) {
            throw new IllegalStateException("more than " + MAX_PAGES + " pages of entities in one partition");
        }
        if (page == pages.length) {
            int larger = page + Math.max(4, page >> 2);
            pages = Arrays.copyOf(pages, larger);
            ends = Arrays.copyOf(ends, larger);
            waste = Arrays.copyOf(waste, larger);
        }
        pages[page] = new byte[size];
        pageBytes += size;
        return page;
    }

    private static int idLength(byte[] page, int at) {
        return (page[at] & 0xff) + 1;
    }

    private byte[] page(int record) {
        return pages[record >>> PAGE_BITS];
    }

    private static int at(int record) {
        return record & (PAGE - 1);
    }
}
