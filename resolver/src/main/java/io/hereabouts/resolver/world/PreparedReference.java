package io.hereabouts.resolver.world;

import io.hereabouts.model.neighborhood.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.operation.relateng.RelateNG;
import org.locationtech.jts.operation.relateng.RelatePredicate;
import org.locationtech.jts.operation.relateng.TopologyPredicate;

/**
 * One reference, made ready to be compared with many candidates. Relations read <em>candidate RELATION reference</em>;
 * topology is planar in lon/lat, metres are geodesic. Not thread-safe.
 */
public final class PreparedReference {

    private final Geometry geometry;
    private @Nullable RelateNG topology;
    private @Nullable GeodesicProximity proximity;

    public PreparedReference(Geometry geometry) {
        this.geometry = geometry;
    }

    /** True if the condition holds for this candidate and the reference. */
    public boolean satisfies(Geometry candidate, Condition condition) {
        return condition.accept(new Condition.Visitor<>() {
            @Override
            public Boolean related(Condition.Related related) {
                return isRelated(candidate, related);
            }

            @Override
            public Boolean and(Condition.And and) {
                for (Condition part : and.all()) {
                    if (!part.accept(this)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public Boolean or(Condition.Or or) {
                for (Condition part : or.any()) {
                    if (part.accept(this)) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            public Boolean not(Condition.Not not) {
                return !not.negated().accept(this);
            }
        });
    }

    /** As {@link Locality#near}. */
    public List<Envelope> near(Locality locality) {
        return locality.near(geometry.getEnvelopeInternal());
    }

    private boolean isRelated(Geometry candidate, Condition.Related related) {
        return switch (related.relation()) {
            case EQUALS -> has(candidate, RelatePredicate.equalsTopo());
            case DISJOINT -> has(candidate, RelatePredicate.disjoint());
            case INTERSECTS -> has(candidate, RelatePredicate.intersects());
            case TOUCHES -> has(candidate, RelatePredicate.touches());
            case CROSSES -> has(candidate, RelatePredicate.crosses());
            case OVERLAPS -> has(candidate, RelatePredicate.overlaps());
            // from here on the reference speaks first, so the relation is turned round
            case WITHIN -> has(candidate, RelatePredicate.contains());
            case CONTAINS -> has(candidate, RelatePredicate.within());
            case COVERED_BY -> has(candidate, RelatePredicate.covers());
            case COVERS -> has(candidate, RelatePredicate.coveredBy());
            case RELATE ->
                PatternMatch.of(geometry, topology(), candidate, transposed(String.valueOf(related.pattern())));
            case DWITHIN ->
                has(candidate, RelatePredicate.intersects()) || proximity().isWithin(candidate, related.distance());
        };
    }

    private boolean has(Geometry candidate, TopologyPredicate predicate) {
        return topology().evaluate(candidate, predicate);
    }

    private static String transposed(String pattern) {
        StringBuilder out = new StringBuilder(9);
        for (int column = 0; column < 3; column++) {
            for (int row = 0; row < 3; row++) {
                out.append(pattern.charAt(3 * row + column));
            }
        }
        return out.toString();
    }

    private RelateNG topology() {
        if (topology == null) {
            topology = RelateNG.prepare(geometry);
        }
        return topology;
    }

    private GeodesicProximity proximity() {
        if (proximity == null) {
            proximity = new GeodesicProximity(geometry);
        }
        return proximity;
    }
}
