package io.hereabouts.schemas.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/**
 * Which partition a key belongs to: what Kafka's default partitioner does with the UTF-8 bytes of the key. Whoever
 * publishes about an entity, in whatever language, must agree with it.
 */
public final class Partitions {

    private static final int HANDLE_DIGITS = 16;

    private Partitions() {}

    /**
     * The partition of {@code publications} and {@code filters} that an entity belongs to.
     *
     * @param partitions how many there are, at least 1
     */
    public static int partitionOf(EntityId entity, int partitions) {
        return partitionOf(entity.bytes(), partitions);
    }

    /** As {@link #partitionOf(EntityId, int)}, of the key's bytes. */
    public static int partitionOf(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /**
     * The partition of {@code interests} that holds all that is said about a neighborhood. It depends on the handle only,
     * so that two neighborhoods with one handle always meet at one owner, who refuses the second.
     */
    public static int partitionOf(NeighborhoodId neighborhood, int partitions) {
        String value = neighborhood.value();
        String handle = neighborhood.isEverywhere() ? value : value.substring(0, HANDLE_DIGITS);
        return partitionOf(handle.getBytes(StandardCharsets.UTF_8), partitions);
    }
}
