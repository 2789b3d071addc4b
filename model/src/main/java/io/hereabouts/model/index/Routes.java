package io.hereabouts.model.index;

import java.util.Arrays;

/**
 * By neighborhood code, all that a lookup needs where a neighborhood has no interest or one, which is nearly always: its
 * handle, topic filter and edge, beside each other. Not thread-safe.
 */
final class Routes {

    /** Nobody is interested. */
    static final long NOBODY = -1;

    /** Several interests: ask the neighborhood. */
    static final long SEVERAL = -2;

    /** Shared interests, and perhaps others: ask the neighborhood and {@link Shares}. */
    static final long SHARED = -3;

    /** (handle, interest) by code; an interest is a filter in the high half and an edge in the low one. */
    private long[] routes = new long[32];

    long handle(int neighborhood) {
        return routes[2 * neighborhood];
    }

    /** {@link #NOBODY}, {@link #SEVERAL}, {@link #SHARED}, or the only interest, for {@link #filter} and {@link #edge}. */
    long interest(int neighborhood) {
        return routes[2 * neighborhood + 1];
    }

    static int filter(long interest) {
        return (int) (interest >>> 32);
    }

    static int edge(long interest) {
        return (int) interest;
    }

    /**
     * Takes over what the neighborhood says now.
     *
     * @param shared whether it has shared interests
     */
    void set(Neighborhood neighborhood, boolean shared) {
        int at = 2 * neighborhood.code;
        if (at + 1 >= routes.length) {
            routes = Arrays.copyOf(routes, at + at / 2 + 2);
        }
        routes[at] = neighborhood.handle;
        routes[at + 1] = shared ? SHARED : only(neighborhood);
    }

    private static long only(Neighborhood neighborhood) {
        return neighborhood.interests == 0 ? NOBODY : neighborhood.interests > 1 ? SEVERAL : neighborhood.what(0);
    }

    long heapBytes() {
        return 16 + 8L * routes.length;
    }
}
