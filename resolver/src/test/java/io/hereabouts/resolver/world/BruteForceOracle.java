package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/**
 * Resolves a descriptor by the words of its definition: every candidate with every reference, see {@link OraclePairs}. No
 * index, no shortcut, and none of the resolver's classes. For one thread.
 */
final class BruteForceOracle {

    private final Map<EntityId, PhysicalEntity> world = new TreeMap<>();
    private final OraclePairs pairs;

    /** @param pairs decides what one candidate is to one reference */
    BruteForceOracle(OraclePairs pairs) {
        this.pairs = pairs;
    }

    void put(PhysicalEntity entity) {
        world.put(entity.id(), entity);
    }

    /** The entities that are there, by id. */
    Collection<PhysicalEntity> entities() {
        return world.values();
    }

    /** The entities of each stage. */
    List<Set<EntityId>> stages(NeighborhoodDescriptor descriptor) {
        List<Set<EntityId>> stages = new ArrayList<>();
        for (Stage stage : descriptor.stages()) {
            stages.add(stage(stage, stages));
        }
        return stages;
    }

    private Set<EntityId> stage(Stage stage, List<Set<EntityId>> earlier) {
        Set<EntityId> named = new HashSet<>();
        List<Geometry> references = new ArrayList<>();
        for (Reference reference : stage.references()) {
            if (reference instanceof Reference.ToEntity entity) {
                named.add(entity.id());
            } else {
                references.add(geometry(((Reference.ToGeometry) reference).wkt()));
            }
        }
        stage.from().forEach(i -> named.addAll(earlier.get(i)));
        named.forEach(id -> references.add(Objects.requireNonNull(world.get(id)).geometry()));

        Set<EntityId> found = new TreeSet<>();
        for (PhysicalEntity candidate : world.values()) {
            if (!named.contains(candidate.id())
                    && stage.categories().stream().anyMatch(candidate::isA)
                    && quantified(stage, candidate.geometry(), references)) {
                found.add(candidate.id());
            }
        }
        return found;
    }

    private boolean quantified(Stage stage, Geometry candidate, List<Geometry> references) {
        List<Boolean> each =
                references.stream().map(r -> holds(stage.where(), candidate, r)).toList();
        return switch (stage.match()) {
            case ANY -> each.contains(true);
            case ALL -> !each.contains(false);
            case NONE -> !each.contains(true);
        };
    }

    private boolean holds(Condition condition, Geometry candidate, Geometry reference) {
        return condition.accept(new Condition.Visitor<>() {
            @Override
            public Boolean related(Condition.Related related) {
                return pairs.holds(related, candidate, reference);
            }

            @Override
            public Boolean and(Condition.And and) {
                return !and.all().stream().map(c -> c.accept(this)).toList().contains(false);
            }

            @Override
            public Boolean or(Condition.Or or) {
                return or.any().stream().map(c -> c.accept(this)).toList().contains(true);
            }

            @Override
            public Boolean not(Condition.Not not) {
                return !not.negated().accept(this);
            }
        });
    }

    private static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }
}
