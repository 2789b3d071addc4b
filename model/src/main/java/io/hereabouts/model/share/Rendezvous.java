package io.hereabouts.model.share;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Highest random weight hashing (Thaler and Ravishankar, "A name-based mapping scheme for rendezvous", 1996): each member
 * has a weight for each key, and the heaviest is chosen. So the choice needs no agreement and no memory, all members get
 * about as many keys, and when one comes or goes only the keys move that are, or were, its own. No state.
 */
public final class Rendezvous {

    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private Rendezvous() {}

    /** The hash of a key or of a member's name: FNV-1a, then mixed. */
    public static long hash(byte[] bytes) {
        long h = FNV_OFFSET;
        for (byte b : bytes) {
            h = (h ^ (b & 0xff)) * FNV_PRIME;
        }
        return mix(h);
    }

    /** The hash of the text's UTF-8 bytes. */
    public static long hash(String text) {
        return hash(text.getBytes(StandardCharsets.UTF_8));
    }

    /** How much the member weighs for the key; to be compared as a signed number. Both are hashes. */
    public static long weight(long key, long member) {
        return mix(key + Long.rotateLeft(member, 17));
    }

    /**
     * The heaviest of those that are preferred, or of all if none is. Linear in the members; their order does not count.
     *
     * @param key its hash
     * @param hash of a member's name
     * @return null if there are none
     */
    public static <M> @Nullable M choose(
            Iterable<M> members, long key, ToLongFunction<M> hash, Predicate<M> preferred) {
        M best = null;
        boolean bestPreferred = false;
        long bestWeight = 0;
        for (M member : members) {
            boolean isPreferred = preferred.test(member);
            if (bestPreferred && !isPreferred) {
                continue;
            }
            long weight = weight(key, hash.applyAsLong(member));
            if (best == null || (isPreferred && !bestPreferred) || weight > bestWeight) {
                best = member;
                bestPreferred = isPreferred;
                bestWeight = weight;
            }
        }
        return best;
    }

    /** The finalizer of MurmurHash3. */
    private static long mix(long x) {
        long y = (x ^ (x >>> 33)) * 0xFF51AFD7ED558CCDL;
        y = (y ^ (y >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return y ^ (y >>> 33);
    }
}
