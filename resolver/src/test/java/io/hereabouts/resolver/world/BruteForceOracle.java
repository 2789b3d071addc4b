package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.IntersectionMatrix;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.operation.relateng.RelateNG;

/**
 * Resolves a descriptor by the words of its definition: every candidate with every reference, each relation read off the
 * whole DE-9IM matrix, distances by search. No index, no shortcut, and none of the resolver's classes.
 */
final class BruteForceOracle {

    private final Map<EntityId, PhysicalEntity> world = new TreeMap<>();

    void put(PhysicalEntity entity) {
        world.put(entity.id(), entity);
    }

    void remove(EntityId id) {
        world.remove(id);
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

    private static boolean quantified(Stage stage, Geometry candidate, List<Geometry> references) {
        return switch (stage.match()) {
            case ANY -> references.stream().anyMatch(r -> holds(stage.where(), candidate, r));
            case ALL -> references.stream().allMatch(r -> holds(stage.where(), candidate, r));
            case NONE -> references.stream().noneMatch(r -> holds(stage.where(), candidate, r));
        };
    }

    private static boolean holds(Condition condition, Geometry candidate, Geometry reference) {
        return condition.accept(new Condition.Visitor<>() {
            @Override
            public Boolean related(Condition.Related related) {
                return relatedTo(related, candidate, reference);
            }

            @Override
            public Boolean and(Condition.And and) {
                return and.all().stream().allMatch(c -> c.accept(this));
            }

            @Override
            public Boolean or(Condition.Or or) {
                return or.any().stream().anyMatch(c -> c.accept(this));
            }

            @Override
            public Boolean not(Condition.Not not) {
                return !not.negated().accept(this);
            }
        });
    }

    private static boolean relatedTo(Condition.Related related, Geometry a, Geometry b) {
        if (related.relation() == Relation.DWITHIN) {
            return OracleDistance.metres(a, b, related.distance() + 1) <= related.distance();
        }
        IntersectionMatrix m = matrix(a, b);
        int dimA = a.getDimension();
        int dimB = b.getDimension();
        return switch (related.relation()) {
            case EQUALS -> m.isEquals(dimA, dimB);
            case DISJOINT -> m.isDisjoint();
            case INTERSECTS -> m.isIntersects();
            case TOUCHES -> m.isTouches(dimA, dimB);
            case CROSSES -> m.isCrosses(dimA, dimB);
            case WITHIN -> m.isWithin();
            case CONTAINS -> m.isContains();
            case OVERLAPS -> m.isOverlaps(dimA, dimB);
            case COVERS -> m.isCovers();
            case COVERED_BY -> m.isCoveredBy();
            case RELATE -> m.matches(related.pattern());
            case DWITHIN -> throw new AssertionError("measured above");
        };
    }

    /** By JTS' older algorithm, which shares no code with the prepared one, where it can. */
    private static IntersectionMatrix matrix(Geometry a, Geometry b) {
        return isMixed(a) || isMixed(b) ? RelateNG.relate(a, b) : a.relate(b);
    }

    private static boolean isMixed(Geometry g) {
        return g.getGeometryType().equals(Geometry.TYPENAME_GEOMETRYCOLLECTION) && g instanceof GeometryCollection;
    }

    private static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new AssertionError(e);
        }
    }
}
