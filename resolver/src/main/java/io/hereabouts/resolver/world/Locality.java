package io.hereabouts.resolver.world;

import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Relation;
import java.util.List;
import org.locationtech.jts.geom.Envelope;

/**
 * How far from a reference a condition has to be looked at. Beyond {@code metres} around the reference's bounding box its
 * value is known without looking: {@code elsewhere}. So an index needs to propose only what is near, and what holds
 * elsewhere ({@code disjoint}, {@code not}) is the complement of what was looked at. Immutable.
 *
 * @param bounded false if the value is nowhere known without looking; then the other two mean nothing
 * @param metres geodesic; 0 means that the bounding boxes have to meet
 * @param elsewhere the condition's value for every candidate that is farther away
 */
public record Locality(boolean bounded, double metres, boolean elsewhere) {

    private static final double NOWHERE = Double.POSITIVE_INFINITY;
    /** A distance of 0 reaches from one side of the antimeridian to the other, which 0 metres around a box would not. */
    private static final double LEAST_DISTANCE = 0.001;

    /** The locality of a condition. */
    public static Locality of(Condition condition) {
        Ranges ranges = condition.accept(RANGES);
        if (ranges.canBeTrue() < NOWHERE) {
            return new Locality(true, ranges.canBeTrue(), false);
        }
        return new Locality(ranges.canBeFalse() < NOWHERE, ranges.canBeFalse(), true);
    }

    /** If bounded: boxes that hold every candidate for which the condition is not {@link #elsewhere()}. */
    public List<Envelope> near(Envelope reference) {
        return NearBoxes.around(reference, metres);
    }

    /**
     * Beyond {@code canBeTrue} metres the condition is false, beyond {@code canBeFalse} it is true; infinite if there is
     * no such distance.
     */
    private record Ranges(double canBeTrue, double canBeFalse) {}

    private static final Condition.Visitor<Ranges> RANGES = new Condition.Visitor<>() {
        @Override
        public Ranges related(Condition.Related related) {
            if (related.relation() == Relation.DISJOINT) {
                return new Ranges(NOWHERE, 0);
            }
            if (related.relation() == Relation.DWITHIN) {
                return new Ranges(Math.max(related.distance(), LEAST_DISTANCE), NOWHERE);
            }
            if (related.pattern() != null) {
                return ofPattern(related.pattern());
            }
            return new Ranges(0, NOWHERE);
        }

        @Override
        public Ranges and(Condition.And and) {
            double canBeTrue = NOWHERE;
            double canBeFalse = 0;
            for (Condition part : and.all()) {
                Ranges ranges = part.accept(this);
                canBeTrue = Math.min(canBeTrue, ranges.canBeTrue());
                canBeFalse = Math.max(canBeFalse, ranges.canBeFalse());
            }
            return new Ranges(canBeTrue, canBeFalse);
        }

        @Override
        public Ranges or(Condition.Or or) {
            double canBeTrue = 0;
            double canBeFalse = NOWHERE;
            for (Condition part : or.any()) {
                Ranges ranges = part.accept(this);
                canBeTrue = Math.max(canBeTrue, ranges.canBeTrue());
                canBeFalse = Math.min(canBeFalse, ranges.canBeFalse());
            }
            return new Ranges(canBeTrue, canBeFalse);
        }

        @Override
        public Ranges not(Condition.Not not) {
            Ranges inner = not.negated().accept(this);
            return new Ranges(/* canBeTrue= */ inner.canBeFalse(), /* canBeFalse= */ inner.canBeTrue());
        }
    };

    /**
     * The DE-9IM matrix of disjoint geometries is {@code FF?FF???2}: a pattern that wants common points is false for
     * them, one that says nothing about the dimensions in question is true.
     */
    private static Ranges ofPattern(String pattern) {
        boolean wantsCommonPoints = false;
        for (int cell : new int[] {0, 1, 3, 4}) {
            char wanted = pattern.charAt(cell);
            wantsCommonPoints |= wanted != 'F' && wanted != '*';
        }
        char outside = pattern.charAt(8);
        if (wantsCommonPoints || (outside != '*' && outside != 'T' && outside != '2')) {
            return new Ranges(0, NOWHERE);
        }
        for (int cell : new int[] {2, 5, 6, 7}) {
            if (pattern.charAt(cell) != '*') {
                return new Ranges(NOWHERE, NOWHERE);
            }
        }
        return new Ranges(NOWHERE, 0);
    }
}
