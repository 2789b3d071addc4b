package io.hereabouts.model.index;

/**
 * Ascending codes in few bits: the gaps between them by Rice's code, a quotient in unary and {@code low} bits below. Codes
 * that lie evenly take about two bits more than the logarithm of their mean gap. Only read as a whole. Immutable.
 */
final class SortedCodes {

    static final SortedCodes NONE = new SortedCodes(0, 0, new byte[0]);

    private final int size;
    private final int low;
    private final byte[] bits;

    private SortedCodes(int size, int low, byte[] bits) {
        this.size = size;
        this.low = low;
        this.bits = bits;
    }

    /** @param codes not negative, strictly ascending */
    static SortedCodes of(int[] codes) {
        if (codes.length == 0) {
            return NONE;
        }
        int mean = codes[codes.length - 1] / codes.length;
        int low = 31 - Integer.numberOfLeadingZeros(Math.max(1, mean));
        long length = 0;
        for (int i = 0; i < codes.length; i++) {
            length += (gap(codes, i) >>> low) + 1L + low;
        }
        byte[] bits = new byte[Math.toIntExact((length + 7) / 8)];
        long at = 0;
        for (int i = 0; i < codes.length; i++) {
            int gap = gap(codes, i);
            at += gap >>> low;
            set(bits, at++);
            for (int b = 0; b < low; b++, at++) {
                if ((gap >>> b & 1) != 0) {
                    set(bits, at);
                }
            }
        }
        return new SortedCodes(codes.length, low, bits);
    }

    /** The codes, in a fresh array. */
    int[] toArray() {
        int[] codes = new int[size];
        long at = 0;
        int next = 0;
        for (int i = 0; i < size; i++) {
            int quotient = 0;
            while (!isSet(at++)) {
                quotient++;
            }
            int gap = quotient << low;
            for (int b = 0; b < low; b++, at++) {
                gap |= isSet(at) ? 1 << b : 0;
            }
            codes[i] = next + gap;
            next = codes[i] + 1;
        }
        return codes;
    }

    int size() {
        return size;
    }

    long heapBytes() {
        return this == NONE ? 0 : 24 + 16 + (bits.length + 7L) / 8 * 8;
    }

    /** How many codes lie between this one and the one before. */
    private static int gap(int[] codes, int index) {
        return index == 0 ? codes[0] : codes[index] - codes[index - 1] - 1;
    }

    private static void set(byte[] bits, long at) {
        bits[(int) (at >>> 3)] |= (byte) (1 << (at & 7));
    }

    private boolean isSet(long at) {
        return (bits[(int) (at >>> 3)] >>> (at & 7) & 1) != 0;
    }
}
