package io.hereabouts.perf.index;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long this machine takes for one read of memory whose address only the read before it told. No state. */
final class MemoryProbe {

    private static final int READS = 2_000_000;
    /** Of a generator that goes through all numbers below any power of two, in an order that no processor foresees. */
    private static final int FACTOR = 1_664_525;

    private static final int SHIFT = 1_013_904_223;

    private MemoryProbe() {}

    /**
     * CPU time of a read from an array of about so many bytes, in nanoseconds.
     *
     * @param bytes at least 4; the array is the largest power of two within
     */
    static double readNanos(long bytes) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int[] next = new int[Integer.highestOneBit((int) Math.min(Integer.MAX_VALUE, bytes / 4))];
        for (int i = 0; i < next.length; i++) {
            next[i] = (i * FACTOR + SHIFT) & (next.length - 1);
        }
        double taken = 0;
        int at = 0;
        // the first time for the compiler
        for (int round = 0; round < 2; round++) {
            long begin = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < READS; i++) {
                at = next[at];
            }
            taken = threads.getCurrentThreadCpuTime() - begin;
        }
        // what nothing came of would not be done
        return at < 0 ? Double.NaN : taken / READS;
    }
}
