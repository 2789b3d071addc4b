package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;

/** Told what {@code filters} holds, record by record in the order of each partition. */
public interface FilterReader {

    /** A slice was put: {@code count} of the {@code total} entities that the neighborhood has in all partitions. */
    void slicePut(int partition, NeighborhoodId neighborhood, Stamp stamp, int count, int total, long worldVersion);

    /** A slice was removed. */
    void sliceGone(int partition, NeighborhoodId neighborhood, Stamp stamp);

    /** An interest was put. */
    void interestPut(int partition, Interest interest, Stamp stamp);

    /** An interest was removed. */
    void interestGone(int partition, Interest interest, Stamp stamp);
}
