package io.hereabouts.resolver.world;

import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Relation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.IntersectionMatrix;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.operation.relateng.RelateNG;

/**
 * What one geometry is to another: each relation read off the whole DE-9IM matrix, distances by search. Counts what it
 * says, and remembers it for geometries that are the same object. For one thread.
 */
final class OraclePairs {

    private final IdentityHashMap<Geometry, IdentityHashMap<Geometry, IntersectionMatrix>> matrices =
            new IdentityHashMap<>();
    private boolean exact = true;
    private final Map<Relation, int[]> answers = new EnumMap<>(Relation.class);

    /**
     * From here on about geometries whose corners lie on each other's edges exactly, or by far not. Where they miss them
     * by the last digit, JTS' two algorithms round to different points, and the newer one is right by definition.
     */
    void meet(boolean exactly) {
        matrices.clear();
        exact = exactly;
    }

    /** How often each relation was false, at [0], and true, at [1]. */
    Map<Relation, int[]> answers() {
        return answers;
    }

    boolean holds(Condition.Related related, Geometry candidate, Geometry reference) {
        boolean holds = decide(related, candidate, reference);
        answers.computeIfAbsent(related.relation(), x -> new int[2])[holds ? 1 : 0]++;
        return holds;
    }

    private boolean decide(Condition.Related related, Geometry a, Geometry b) {
        if (related.relation() == Relation.DWITHIN) {
            return OracleDistance.isWithin(a, b, related.distance());
        }
        IntersectionMatrix m =
                matrices.computeIfAbsent(a, x -> new IdentityHashMap<>()).computeIfAbsent(b, x -> matrix(a, b));
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

    /** By JTS' older algorithm, which shares no code with the one that decides, where it can. */
    private IntersectionMatrix matrix(Geometry a, Geometry b) {
        return !exact || isMixed(a) || isMixed(b) ? newer(a, b) : a.relate(b);
    }

    /** RelateNG can miss ends of lines that are boundary of the one and outside of the other. */
    private static IntersectionMatrix newer(Geometry a, Geometry b) {
        IntersectionMatrix matrix = RelateNG.relate(a, b);
        if (ends(a).stream().anyMatch(p -> !p.intersects(b) && RelateNG.relate(p, a, "F0*******"))) {
            matrix.setAtLeast(1, 2, 0);
        }
        if (ends(b).stream().anyMatch(p -> !p.intersects(a) && RelateNG.relate(p, b, "F0*******"))) {
            matrix.setAtLeast(2, 1, 0);
        }
        return matrix;
    }

    private static List<Point> ends(Geometry geometry) {
        List<Point> ends = new ArrayList<>();
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            if (geometry.getGeometryN(i) instanceof LineString line) {
                ends.add(line.getStartPoint());
                ends.add(line.getEndPoint());
            }
        }
        return ends;
    }

    private static boolean isMixed(Geometry g) {
        return g.getGeometryType().equals(Geometry.TYPENAME_GEOMETRYCOLLECTION) && g instanceof GeometryCollection;
    }
}
