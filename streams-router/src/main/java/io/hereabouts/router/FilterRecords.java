package io.hereabouts.router;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.index.FilterIndex;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Stamps;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Brings records of {@code filters} into an index: the one way for those that are loaded and those that follow live. No
 * state.
 */
final class FilterRecords {

    private FilterRecords() {}

    /** An interest that is active after its record was applied. */
    record ActiveInterest(Interest interest, long requestId) {}

    /**
     * Applies a record that is neither a probe nor an Owner.
     *
     * @return the interest of the record, if it is active now
     * @throws UndecodableException if the record is not one of {@code filters}; the index is as it was
     */
    static @Nullable ActiveInterest apply(FilterIndex index, byte[] key, byte @Nullable [] value, Headers headers)
            throws UndecodableException {
        if (Keys.isSlice(key)) {
            applySlice(index, Keys.parseSlice(key), value, headers);
            return null;
        }
        if (Keys.isFilterInterest(key)) {
            return applyInterest(index, Keys.parseFilterInterest(key), value, headers);
        }
        throw new UndecodableException("neither slice nor interest nor owner: a key of " + key.length + " bytes");
    }

    private static void applySlice(
            FilterIndex index, NeighborhoodId neighborhood, byte @Nullable [] value, Headers headers)
            throws UndecodableException {
        if (neighborhood.isEverywhere()) {
            throw new UndecodableException("slice of the neighborhood *, which has none");
        }
        if (value == null) {
            index.removeSlice(neighborhood, epoch(headers), version(headers));
            return;
        }
        Slice slice = Framing.decode(value, Slice.class);
        index.applySlice(neighborhood, slice.getOwnerEpoch(), slice.getVersion(), ids(slice));
    }

    private static @Nullable ActiveInterest applyInterest(
            FilterIndex index, Interest interest, byte @Nullable [] value, Headers headers)
            throws UndecodableException {
        if (value == null) {
            index.removeInterest(interest, epoch(headers), version(headers));
            return null;
        }
        FilterInterest written = Framing.decode(value, FilterInterest.class);
        boolean active = index.applyInterest(interest, written.getOwnerEpoch(), written.getVersion());
        return active ? new ActiveInterest(interest, written.getRequestId()) : null;
    }

    private static List<byte[]> ids(Slice slice) throws UndecodableException {
        ByteBuffer packed = slice.getIds();
        byte[] bytes = new byte[packed.remaining()];
        packed.duplicate().get(bytes);
        List<byte[]> ids = new ArrayList<>();
        SliceIds.decode(bytes, slice.getCount(), ids::add);
        for (byte[] id : ids) {
            if (id.length == 0 || id.length > EntityId.MAX_BYTES) {
                throw new UndecodableException("slice has an entity id of " + id.length + " bytes");
            }
        }
        return ids;
    }

    private static long epoch(Headers headers) throws UndecodableException {
        return Stamps.epoch(headers).orElseThrow(() -> unstamped(Stamps.EPOCH));
    }

    private static long version(Headers headers) throws UndecodableException {
        return Stamps.version(headers).orElseThrow(() -> unstamped(Stamps.VERSION));
    }

    /** What cannot be ordered is not applied: it might remove what was written after it. */
    private static UndecodableException unstamped(String header) {
        return new UndecodableException("tombstone without a header '" + header + "' of 8 bytes");
    }
}
