package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.record.SliceIds;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The entities of a neighborhood, divided by the router partition that carries their publications. Immutable.
 *
 * @param worldVersion version of the world that was resolved against
 * @param total entities in all slices
 * @param slices by ascending partition, none empty
 * @param digest of the slices: eight bytes of their SHA-256, odd and so never 0
 * @param unknown references that the world does not have and that were left out
 * @param footprint what of the world it depends on
 */
public record SpatialFilter(
        long worldVersion, int total, List<Slice> slices, long digest, List<EntityId> unknown, Footprint footprint) {

    /**
     * A partition's share.
     *
     * @param count entities in this slice, at least 1
     * @param ids as {@link SliceIds} encodes them
     */
    public record Slice(int partition, int count, ByteBuffer ids) {
        public Slice {
            ids = ids.asReadOnlyBuffer();
        }
    }

    public SpatialFilter {
        slices = List.copyOf(slices);
        unknown = List.copyOf(unknown);
    }

    /** Divides the selected entities; O(n log n) in their number. */
    public static SpatialFilter of(Resolution resolution, int partitions) {
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (EntityId id : resolution.selected()) {
            ids.computeIfAbsent(Partitions.partitionOf(id, partitions), p -> new ArrayList<>())
                    .add(id.value());
        }
        List<Slice> slices = new ArrayList<>();
        ids.forEach((partition, share) ->
                slices.add(new Slice(partition, share.size(), ByteBuffer.wrap(SliceIds.encode(share)))));
        return new SpatialFilter(
                resolution.worldVersion(),
                resolution.selected().size(),
                slices,
                digest(slices),
                resolution.unknown(),
                resolution.footprint());
    }

    private static long digest(List<Slice> slices) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (Slice slice : slices) {
                sha256.update(ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(slice.partition())
                        .putInt(slice.ids().remaining())
                        .flip());
                sha256.update(slice.ids().duplicate());
            }
            return ByteBuffer.wrap(sha256.digest()).getLong() | 1;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The partitions that hold a slice. */
    BitSet partitions() {
        BitSet partitions = new BitSet();
        slices.forEach(slice -> partitions.set(slice.partition()));
        return partitions;
    }

    /** The size of the largest slice in bytes; 0 if there is none. */
    public int largestSliceBytes() {
        return slices.stream().mapToInt(s -> s.ids().remaining()).max().orElse(0);
    }
}
