package io.hereabouts.perf.index;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One shape of (neighborhood, entity) pairs. The entities are dealt {@link #layers} times, each time in another order,
 * into neighborhoods of nearly equal size; an entity is left out of a deal at random, so that fan-outs differ and
 * {@code fanOut} is their mean. Nothing is kept: everything follows from the numbers.
 *
 * @param pairs about how many; the exact number follows from who is left out
 * @param fanOut mean number of neighborhoods of an entity
 * @param filterSize mean number of entities of a neighborhood
 */
record IndexShape(long seed, long pairs, int fanOut, int filterSize) {

    private static final HexFormat HEX = HexFormat.of();

    /** What each id begins with; eight hex digits follow. */
    static final String PREFIX = "berlin/detector/";

    int entities() {
        return (int) Math.max(1, pairs / fanOut);
    }

    private int layers() {
        return 2 * fanOut - 1;
    }

    /** How many places a neighborhood has, of which about every second stays free. */
    private int places() {
        return (int) Math.min(entities(), (long) filterSize * layers() / fanOut);
    }

    private int neighborhoodsOfLayer() {
        return (entities() + places() - 1) / places();
    }

    int neighborhoods() {
        return layers() * neighborhoodsOfLayer();
    }

    /** The entities of a neighborhood, ascending in no order. */
    int[] entitiesOf(int neighborhood) {
        int layer = neighborhood / neighborhoodsOfLayer();
        int from = neighborhood % neighborhoodsOfLayer() * places();
        int to = Math.min(entities(), from + places());
        Dealing dealing = dealing(layer);
        int[] found = new int[to - from];
        int count = 0;
        for (int place = from; place < to; place++) {
            int entity = dealing.entityAt(place);
            if (isIn(entity, layer)) {
                found[count++] = entity;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** What {@link IndexContender#sum} must answer, by the rule of dealing and not by an index. */
    long answer(int entity) {
        long sum = 0;
        for (int layer = 0; layer < layers(); layer++) {
            if (isIn(entity, layer)) {
                int place = dealing(layer).placeOf(entity);
                sum += handle(layer * neighborhoodsOfLayer() + place / places());
            }
        }
        return sum;
    }

    /** Adds all neighborhoods; how many pairs they are. */
    long fill(IndexContender contender) {
        KeyMaker keys = new KeyMaker();
        long added = 0;
        int all = neighborhoods();
        for (int n = 0; n < all; n++) {
            List<byte[]> ids = new ArrayList<>();
            for (int entity : entitiesOf(n)) {
                ids.add(keys.key(entity).clone());
            }
            contender.add(n, ids);
            added += ids.size();
        }
        contender.complete();
        return added;
    }

    /** How many of so many answers are those that they must be. */
    int rightAnswers(IndexContender contender, int checked) {
        KeyMaker keys = new KeyMaker();
        int right = 0;
        for (int i = 0; i < checked; i++) {
            int entity = draw(seed + i);
            right += contender.sum(keys.key(entity)) == answer(entity) ? 1 : 0;
        }
        return right;
    }

    /** An entity, by a random number. */
    int draw(long random) {
        return below(entities(), random);
    }

    /** A number from 0 to {@code size} − 1, by a random one. */
    static int below(int size, long random) {
        return (int) (((mix(random) >>> 32) * size) >>> 32);
    }

    private boolean isIn(int entity, int layer) {
        // compared without sign, so that fanOut of 2 · fanOut − 1 are in
        return layers() == 1 || (mix(seed ^ ((long) entity << 20) ^ layer) >>> 1) % layers() < fanOut;
    }

    private Dealing dealing(int layer) {
        return Dealing.of(entities(), mix(seed + layer) >>> 1);
    }

    /** The handle of {@link #id}. */
    static long handle(int neighborhood) {
        return neighborhood + 1L;
    }

    static NeighborhoodId id(int neighborhood) {
        return NeighborhoodId.of(HEX.toHexDigits(handle(neighborhood)) + "0000000000000000");
    }

    /** SplitMix64's finalizer. */
    static long mix(long x) {
        long y = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
        return y ^ (y >>> 31);
    }

    /** An order of the numbers below {@code size}: {@code place · factor + shift}, modulo size. */
    private record Dealing(long size, long factor, long inverse, long shift) {

        static Dealing of(int size, long random) {
            long factor = size == 1 ? 1 : 1 + random % (size - 1L);
            while (gcd(factor, size) != 1) {
                factor++;
            }
            return new Dealing(size, factor % size, inverse(factor, size), (random >>> 20) % size);
        }

        int entityAt(int place) {
            return (int) ((place * factor + shift) % size);
        }

        int placeOf(int entity) {
            return (int) ((entity + size - shift) % size * inverse % size);
        }

        private static long inverse(long factor, long size) {
            return BigInteger.valueOf(factor)
                    .modInverse(BigInteger.valueOf(size))
                    .longValue();
        }

        private static long gcd(long a, long b) {
            return b == 0 ? a : gcd(b, a % b);
        }
    }
}
