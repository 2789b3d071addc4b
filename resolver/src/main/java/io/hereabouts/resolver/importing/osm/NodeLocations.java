package io.hereabouts.resolver.importing.osm;

import java.io.Closeable;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the nodes are that ways need. First all of them are named by {@link #need}, then {@link #prepare}, then they are
 * {@link #put}; after that they can be looked up.
 *
 * <p>A needed node takes 4 bytes of heap (ids are sorted arrays in buckets of 2²⁴, so an id is an {@code int}; while they
 * are collected up to 6 bytes) and 8 bytes of a temporary file, which the operating system keeps in memory as far as there
 * is some. A look-up is a binary search. For one thread.
 */
final class NodeLocations implements Closeable {

    /** A place that no node has: what an empty file says. */
    static final long ABSENT = Long.MIN_VALUE;

    private static final int BUCKET_BITS = 24;
    private static final long WITHIN_BUCKET = (1L << BUCKET_BITS) - 1;

    private final Map<Long, Bucket> buckets = new HashMap<>();
    private final Path temporary;
    private final FileChannel channel;

    private long recentNumber = Long.MIN_VALUE;
    private @Nullable Bucket recent;

    /** In the system's folder for temporary files. */
    NodeLocations() throws IOException {
        temporary = Files.createTempFile("hereabouts-nodes", ".tmp");
        channel = FileChannel.open(
                temporary, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The node will be looked up. */
    void need(long id) {
        Bucket bucket = bucket(id);
        if (bucket == null) {
            bucket = new Bucket();
            buckets.put(id >> BUCKET_BITS, bucket);
            recent = bucket;
        }
        bucket.add((int) (id & WITHIN_BUCKET));
    }

    /** Makes room for the places; returns how many nodes are needed. */
    long prepare() throws IOException {
        long count = 0;
        for (Bucket bucket : buckets.values()) {
            bucket.sort();
            bucket.places = channel.map(
                            FileChannel.MapMode.READ_WRITE, count * Long.BYTES, (long) bucket.size * Long.BYTES)
                    .asLongBuffer();
            count += bucket.size;
        }
        return count;
    }

    /** Notes where a node is, if it is needed; in 10⁻⁷ degrees. */
    void put(long id, int lon, int lat) {
        Bucket bucket = bucket(id);
        int index = bucket == null ? -1 : bucket.indexOf((int) (id & WITHIN_BUCKET));
        if (bucket != null && index >= 0) {
            bucket.places.put(index, place(lon, lat) ^ ABSENT);
        }
    }

    /** The node's place, for {@link #lon} and {@link #lat}; or {@link #ABSENT}. */
    long place(long id) {
        Bucket bucket = bucket(id);
        int index = bucket == null ? -1 : bucket.indexOf((int) (id & WITHIN_BUCKET));
        return bucket == null || index < 0 ? ABSENT : bucket.places.get(index) ^ ABSENT;
    }

    private static long place(int lon, int lat) {
        return ((long) lon << Integer.SIZE) | (lat & 0xFFFF_FFFFL);
    }

    /** Degrees: the very double that the decimal number is parsed to. */
    static double lon(long place) {
        return (int) (place >> Integer.SIZE) / 1e7;
    }

    /** Degrees. */
    static double lat(long place) {
        return (int) place / 1e7;
    }

    private @Nullable Bucket bucket(long id) {
        long number = id >> BUCKET_BITS;
        if (number != recentNumber) {
            recent = buckets.get(number);
            recentNumber = number;
        }
        return recent;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(temporary);
    }

    /** Ids without their high bits, and their places in the same order. */
    private static final class Bucket {

        private int[] ids = new int[64];
        private int size;
        private LongBuffer places = LongBuffer.allocate(0);

        void add(int id) {
            if (size == ids.length) {
                sort();
                if (size > ids.length - ids.length / 4) {
                    ids = Arrays.copyOf(ids, ids.length + ids.length / 2);
                }
            }
            ids[size++] = id;
        }

        /** Sorts them and keeps one of each. */
        void sort() {
            Arrays.sort(ids, 0, size);
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (kept == 0 || ids[i] != ids[kept - 1]) {
                    ids[kept++] = ids[i];
                }
            }
            size = kept;
        }

        int indexOf(int id) {
            return Arrays.binarySearch(ids, 0, size, id);
        }
    }
}
