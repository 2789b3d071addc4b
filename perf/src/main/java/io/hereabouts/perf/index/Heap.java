package io.hereabouts.perf.index;

import java.lang.management.ManagementFactory;

/** What objects take. No state. */
final class Heap {

    private static final int COLLECTIONS = 3;

    private Heap() {}

    /** Bytes that are used after full collections, with their headers, slack and whatever else no formula knows of. */
    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
