package io.hereabouts.testkit.oracle;

import io.hereabouts.model.neighborhood.Condition;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/** Conditions between one candidate and one reference: JTS' own predicates, in the order candidate, reference. */
final class Relations {

    private Relations() {}

    static boolean holds(Condition condition, Geometry candidate, Geometry reference) {
        if (condition instanceof Condition.And and) {
            return and.all().stream().allMatch(c -> holds(c, candidate, reference));
        }
        if (condition instanceof Condition.Or or) {
            return or.any().stream().anyMatch(c -> holds(c, candidate, reference));
        }
        if (condition instanceof Condition.Not not) {
            return !holds(not.negated(), candidate, reference);
        }
        return related((Condition.Related) condition, candidate, reference);
    }

    private static boolean related(Condition.Related r, Geometry candidate, Geometry reference) {
        return switch (r.relation()) {
            case EQUALS -> candidate.equalsTopo(reference);
            case DISJOINT -> candidate.disjoint(reference);
            case INTERSECTS -> candidate.intersects(reference);
            case TOUCHES -> candidate.touches(reference);
            case CROSSES -> candidate.crosses(reference);
            case WITHIN -> candidate.within(reference);
            case CONTAINS -> candidate.contains(reference);
            case OVERLAPS -> candidate.overlaps(reference);
            case COVERS -> candidate.covers(reference);
            case COVERED_BY -> candidate.coveredBy(reference);
            case DWITHIN -> Metres.within(candidate, reference, r.distance());
            case RELATE -> relate(candidate, reference, r.pattern());
        };
    }

    private static boolean relate(Geometry candidate, Geometry reference, @Nullable String pattern) {
        if (pattern == null) {
            throw new IllegalArgumentException("relate without a pattern");
        }
        return candidate.relate(reference, pattern);
    }
}
