package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.Stamps;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slices of some neighborhoods, of all generations of the Kafka topic of filters. An older slice never replaces a newer one,
 * whoever wrote it (owner epoch, then version). Changed by one thread, safe for any thread to ask.
 */
final class HeldSlices {

    private static final Logger LOG = LoggerFactory.getLogger(HeldSlices.class);

    private record Place(int generation, int partition) {}

    private record Held(long epoch, long version, Set<String> ids) {
        boolean isAfter(Held other) {
            return epoch > other.epoch || (epoch == other.epoch && version > other.version);
        }
    }

    /**
     * Another slice than before.
     *
     * @param entered entities that the neighborhood did not have, in any generation
     * @param left entities that it does not have any more, in any generation
     */
    record Change(NeighborhoodId neighborhood, Set<String> entered, Set<String> left) {}

    private final Map<NeighborhoodId, Map<Place, Held>> slices = new ConcurrentHashMap<>();

    /** Takes a record of filters, if it is a slice of one of these neighborhoods and newer than what is held. */
    Optional<Change> apply(ConsumerRecord<byte[], byte[]> record, int generation, Set<NeighborhoodId> neighborhoods) {
        if (Keys.isProbe(record.key()) || !Keys.isSlice(record.key())) {
            return Optional.empty();
        }
        try {
            NeighborhoodId neighborhood = Keys.parseSlice(record.key());
            return neighborhoods.contains(neighborhood)
                    ? apply(neighborhood, new Place(generation, record.partition()), held(record))
                    : Optional.empty();
        } catch (UndecodableException e) {
            LOG.warn(
                    "a slice in {}-{} at {} is left out: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Change> apply(NeighborhoodId neighborhood, Place place, Held next) {
        Map<Place, Held> ofNeighborhood = slices.computeIfAbsent(neighborhood, n -> new ConcurrentHashMap<>());
        Held before = ofNeighborhood.get(place);
        if (before != null && before.isAfter(next)) {
            return Optional.empty();
        }
        Set<String> ids = before == null ? Set.of() : before.ids();
        ofNeighborhood.put(place, next);
        Set<String> entered = without(next.ids(), ids);
        Set<String> left = without(ids, next.ids());
        ofNeighborhood.forEach((other, held) -> {
            if (other.generation() != place.generation()) {
                entered.removeAll(held.ids());
                left.removeAll(held.ids());
            }
        });
        return entered.isEmpty() && left.isEmpty()
                ? Optional.empty()
                : Optional.of(new Change(neighborhood, entered, left));
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new HashSet<>();
        for (String each : all) {
            if (!some.contains(each)) {
                rest.add(each);
            }
        }
        return rest;
    }

    /** Forgets other neighborhoods, and generations that are no more. */
    void retain(Set<NeighborhoodId> neighborhoods, Collection<Integer> generations) {
        slices.keySet().retainAll(neighborhoods);
        slices.values().forEach(held -> held.keySet().removeIf(place -> !generations.contains(place.generation())));
    }

    /** Whether the slices of this generation have the entity. */
    boolean contains(Generation generation, NeighborhoodId neighborhood, EntityId entity) {
        return contains(generation, neighborhood, entity.value(), entity.bytes());
    }

    /** As {@link #contains(Generation, NeighborhoodId, EntityId)}. */
    boolean contains(Generation generation, NeighborhoodId neighborhood, String entity) {
        return contains(generation, neighborhood, entity, entity.getBytes(StandardCharsets.UTF_8));
    }

    private boolean contains(Generation generation, NeighborhoodId neighborhood, String entity, byte[] key) {
        Map<Place, Held> ofNeighborhood = slices.getOrDefault(neighborhood, Map.of());
        Held held = ofNeighborhood.get(
                new Place(generation.number(), Partitions.partitionOf(key, generation.partitions())));
        return held != null && held.ids().contains(entity);
    }

    /** How many entities the slices of a neighborhood have. */
    int count(NeighborhoodId neighborhood) {
        return slices.getOrDefault(neighborhood, new HashMap<>()).values().stream()
                .mapToInt(held -> held.ids().size())
                .sum();
    }

    /** The entities of a neighborhood, once for each generation. */
    List<String> of(NeighborhoodId neighborhood) {
        List<String> all = new ArrayList<>();
        slices.getOrDefault(neighborhood, new HashMap<>()).values().forEach(held -> all.addAll(held.ids()));
        return all;
    }

    private static Held held(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
        if (record.value() == null) {
            // a removal that says nothing of its age, by hand perhaps, is older than everything
            return new Held(
                    Stamps.epoch(record.headers()).orElse(Long.MIN_VALUE),
                    Stamps.version(record.headers()).orElse(Long.MIN_VALUE),
                    Set.of());
        }
        Slice slice = Framing.decode(record.value(), Slice.class);
        ByteBuffer packed = slice.getIds();
        byte[] bytes = new byte[packed.remaining()];
        packed.duplicate().get(bytes);
        Set<String> ids = new HashSet<>();
        SliceIds.decode(bytes, slice.getCount(), id -> ids.add(new String(id, StandardCharsets.UTF_8)));
        return new Held(slice.getOwnerEpoch(), slice.getVersion(), ids);
    }
}
