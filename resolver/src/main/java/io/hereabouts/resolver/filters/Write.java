package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;

/** One record to be written to one partition of {@code filters}. */
public sealed interface Write {

    /** The partition it belongs to. */
    int partition();

    /** Its place in the order of all writes under its key. */
    Stamp stamp();

    /** Puts or replaces a neighborhood's slice. */
    record PutSlice(NeighborhoodId neighborhood, Stamp stamp, SpatialFilter filter, SpatialFilter.Slice slice)
            implements Write {
        @Override
        public int partition() {
            return slice.partition();
        }
    }

    /** Removes a neighborhood's slice. */
    record DropSlice(int partition, NeighborhoodId neighborhood, Stamp stamp) implements Write {}

    /**
     * Puts or repeats an interest.
     *
     * @param requestId of the request that caused it, 0 if none did
     */
    record PutInterest(int partition, Interest interest, Stamp stamp, long requestId) implements Write {}

    /** Removes an interest. */
    record DropInterest(int partition, Interest interest, Stamp stamp) implements Write {}
}
