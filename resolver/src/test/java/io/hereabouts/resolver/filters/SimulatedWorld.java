package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldChange.Touched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.locationtech.jts.geom.Envelope;

/** What neighborhoods mean, and how that changes from version to version. A neighborhood depends on one category. */
final class SimulatedWorld {

    private static final long FIRST = 1;

    private final Random random;
    private final Map<NeighborhoodId, TreeSet<EntityId>> entities = new HashMap<>();
    private final List<WorldChange> changes = new ArrayList<>();
    private final Map<NeighborhoodId, Long> changed = new HashMap<>();

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

    /** Something changes that a neighborhood may depend on, but does not. */
    void touch(NeighborhoodId id) {
        touch(id, someEntity());
    }

    private void touch(NeighborhoodId id, EntityId entity) {
        Touched touched = new Touched(entity, Set.of(category(id)), List.of(new Envelope(0, 1, 0, 1)));
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
                new Resolution(version(), List.of(members), members, List.of(), footprint(id)), partitions);
    }

    List<EntityId> members(NeighborhoodId id) {
        return List.copyOf(entities.getOrDefault(id, new TreeSet<>()));
    }

    static Footprint footprint(NeighborhoodId id) {
        Footprint.Reach reach = new Footprint.Reach(List.of(category(id)), false, List.of(new Envelope(0, 1, 0, 1)));
        return new Footprint(Set.of(), List.of(reach));
    }

    private static Category category(NeighborhoodId id) {
        return Category.of("members/" + id);
    }

    private EntityId someEntity() {
        return EntityId.of("e" + random.nextInt(1_000));
    }
}
