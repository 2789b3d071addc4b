package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldChange.Touched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.locationtech.jts.geom.Envelope;

/**
 * What neighborhoods mean, and how that changes from version to version. A neighborhood depends on one category and on
 * one reference: while that is gone it lacks an entity.
 */
final class SimulatedWorld {

    private static final long FIRST = 1;

    private final Random random;
    private final Map<NeighborhoodId, TreeSet<EntityId>> entities = new HashMap<>();
    private final List<WorldChange> changes = new ArrayList<>();
    private final Map<NeighborhoodId, Long> changed = new HashMap<>();
    private final Set<EntityId> gone = new HashSet<>();
    private final Map<NeighborhoodId, Long> referenceChanged = new HashMap<>();

    SimulatedWorld(Random random) {
        this.random = random;
    }

    void add(NeighborhoodId id, int size) {
        TreeSet<EntityId> members = new TreeSet<>();
        for (int e = 0; e < size; e++) {
            members.add(someEntity());
        }
        entities.put(id, members);
        changed.put(id, FIRST);
    }

    long version() {
        return FIRST + changes.size();
    }

    /** An entity comes into a neighborhood or leaves it. */
    void change(NeighborhoodId id) {
        TreeSet<EntityId> members = entities.computeIfAbsent(id, x -> new TreeSet<>());
        EntityId entity = members.isEmpty() || random.nextBoolean() ? someEntity() : members.first();
        if (!members.remove(entity)) {
            members.add(entity);
        }
        touch(id, entity);
        changed.put(id, version());
    }

    /** The reference of a neighborhood is deleted, or comes back. */
    void changeReference(NeighborhoodId id) {
        EntityId reference = reference(id);
        if (!gone.remove(reference)) {
            gone.add(reference);
        }
        touch(reference, Category.of("references"));
        changed.put(id, version());
        referenceChanged.put(id, version());
    }

    boolean lacksReference(NeighborhoodId id) {
        return gone.contains(reference(id));
    }

    /** The version in which the reference was deleted or came back. */
    long referenceChanged(NeighborhoodId id) {
        return referenceChanged.getOrDefault(id, FIRST);
    }

    MissingEntities missing(Set<EntityId> ids) {
        return new MissingEntities(
                version(), ids.stream().filter(gone::contains).collect(Collectors.toSet()));
    }

    List<EntityId> unknown(NeighborhoodId id) {
        return lacksReference(id) ? List.of(reference(id)) : List.of();
    }

    /** Something changes that a neighborhood may depend on, but does not. */
    void touch(NeighborhoodId id) {
        touch(id, someEntity());
    }

    private void touch(NeighborhoodId id, EntityId entity) {
        touch(entity, category(id));
    }

    private void touch(EntityId entity, Category category) {
        Touched touched = new Touched(entity, Set.of(category), List.of(new Envelope(0, 1, 0, 1)));
        changes.add(WorldChange.of(version() + 1, List.of(touched)));
    }

    /** The oldest change after this version. */
    List<WorldChange> after(long seen) {
        int index = (int) (seen - FIRST);
        return index < changes.size() ? changes.subList(index, index + 1) : List.of();
    }

    /** The version in which the neighborhood's entities became what they are. */
    long changed(NeighborhoodId id) {
        return changed.getOrDefault(id, FIRST);
    }

    SpatialFilter resolve(NeighborhoodId id, int partitions) {
        List<EntityId> members = members(id);
        return SpatialFilter.of(
                new Resolution(version(), List.of(members), members, unknown(id), footprint(id)), partitions);
    }

    List<EntityId> members(NeighborhoodId id) {
        TreeSet<EntityId> members = entities.getOrDefault(id, new TreeSet<>());
        return members.stream().skip(lacksReference(id) ? 1 : 0).toList();
    }

    static Footprint footprint(NeighborhoodId id) {
        Footprint.Reach reach = new Footprint.Reach(List.of(category(id)), false, List.of(new Envelope(0, 1, 0, 1)));
        return new Footprint(Set.of(reference(id)), List.of(reach));
    }

    private static EntityId reference(NeighborhoodId id) {
        return EntityId.of("reference of " + id);
    }

    private static Category category(NeighborhoodId id) {
        return Category.of("members/" + id);
    }

    private EntityId someEntity() {
        return EntityId.of("e" + random.nextInt(1_000));
    }
}
