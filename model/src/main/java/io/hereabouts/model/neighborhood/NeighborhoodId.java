package io.hereabouts.model.neighborhood;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The identity of a neighborhood: the first 16 bytes of the SHA-256 of its canonical descriptor as 32 lower-case hex
 * digits, or {@code *} for the pseudo-neighborhood of plain subscriptions, which every entity is in. Immutable.
 *
 * @param value 32 hex digits or {@code *}
 */
public record NeighborhoodId(String value) implements Comparable<NeighborhoodId> {

    private static final int DIGITS = 32;

    /** Every entity, known to the world or not: what a plain topic filter is interested in. */
    public static final NeighborhoodId EVERYWHERE = new NeighborhoodId("*");

    public NeighborhoodId {
        if (!value.equals("*") && !isHash(value)) {
            throw new IllegalArgumentException("neighborhood '" + value + "' is neither '*' nor 32 hex digits");
        }
    }

    /** By hand: a router that starts makes millions of them. */
    private static boolean isHash(String value) {
        if (value.length() != DIGITS) {
            return false;
        }
        for (int i = 0; i < DIGITS; i++) {
            char c = value.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /** @throws IllegalArgumentException if the text is neither {@code *} nor 32 lower-case hex digits */
    public static NeighborhoodId of(String value) {
        return value.equals("*") ? EVERYWHERE : new NeighborhoodId(value);
    }

    /** The id of the neighborhood with this canonical text, see {@link NeighborhoodDescriptor#canonicalText()}. */
    public static NeighborhoodId ofCanonical(String canonicalText) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonicalText.getBytes(StandardCharsets.UTF_8));
            return new NeighborhoodId(HexFormat.of().formatHex(Arrays.copyOf(hash, 16)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** True for {@link #EVERYWHERE}. */
    public boolean isEverywhere() {
        return value.equals("*");
    }

    /**
     * The first 8 bytes, what deliveries carry; 0 for {@link #EVERYWHERE}. Two neighborhoods with one handle cannot be
     * served together: who registers the second refuses it.
     */
    public long handle() {
        return isEverywhere() ? 0 : HexFormat.fromHexDigitsToLong(value, 0, 16);
    }

    /** The last 8 bytes; 0 for {@link #EVERYWHERE}. With the {@link #handle} that is all of it. */
    public long tail() {
        return isEverywhere() ? 0 : HexFormat.fromHexDigitsToLong(value, DIGITS / 2, DIGITS);
    }

    @Override
    public int compareTo(NeighborhoodId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
