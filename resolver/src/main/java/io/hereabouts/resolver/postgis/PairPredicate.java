package io.hereabouts.resolver.postgis;

import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Relation;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition as an SQL expression over a candidate {@code c} and a reference {@code r}: true, false or unknown (NULL).
 *
 * <p>Unknown is what this database cannot decide as the rest of the system does: metres to an edge that is straight in
 * lon/lat, geometries that are undecided (see {@code hereabouts.is_undecided}), and how lines and areas meet, if they do:
 * where one misses the other by the last digit of a coordinate, GEOS and JTS round crossings to different points. SQL's
 * own three-valued AND, OR and NOT carry that through a Boolean expression, so that only pairs whose outcome really
 * depends on it are left open.
 *
 * <p>Whether geometries have a point in common is exact in both. So it is known, too, what becomes of a line or an area
 * that meets a reference but not the reference's boundary: it is in the interior, all of it. No state.
 */
final class PairPredicate implements Condition.Visitor<String> {

    private static final PairPredicate VISITOR = new PairPredicate();

    private PairPredicate() {}

    /** The expression; it has no parameters. {@code r.boundary} is NULL where {@code r} is no area. */
    static String of(Condition condition) {
        return condition.accept(VISITOR);
    }

    @Override
    public String related(Condition.Related related) {
        String decidable =
                switch (related.relation()) {
                    case INTERSECTS -> "ELSE ST_Intersects(c.geom, r.geom)";
                    case DISJOINT -> "ELSE NOT ST_Intersects(c.geom, r.geom)";
                    case DWITHIN -> "WHEN ST_Intersects(c.geom, r.geom) THEN true";
                    case RELATE ->
                        ofPointsOrApart("ST_Relate(c.geom, r.geom, '" + String.valueOf(related.pattern()) + "')");
                    case WITHIN, COVERED_BY ->
                        ofPointsOrApart(test(related.relation())) + insideIs(/* outcome= */ true);
                    case EQUALS, TOUCHES, CROSSES, OVERLAPS, CONTAINS, COVERS ->
                        ofPointsOrApart(test(related.relation())) + insideIs(/* outcome= */ false);
                };
        return "CASE WHEN c.undecided OR r.undecided THEN NULL " + decidable + " END";
    }

    private static String test(Relation relation) {
        // PostGIS' names are those of the descriptor, in whatever case
        return "ST_" + relation.word() + "(c.geom, r.geom)";
    }

    private static String ofPointsOrApart(String test) {
        return "WHEN c.puntal OR r.puntal OR NOT ST_Intersects(c.geom, r.geom) THEN " + test;
    }

    private static String insideIs(boolean outcome) {
        return " WHEN ST_NumGeometries(c.geom) = 1 AND NOT ST_Intersects(c.geom, r.boundary) THEN " + outcome;
    }

    @Override
    public String and(Condition.And and) {
        return joined(and.all(), " AND ");
    }

    @Override
    public String or(Condition.Or or) {
        return joined(or.any(), " OR ");
    }

    private String joined(List<Condition> parts, String operator) {
        return parts.stream().map(part -> part.accept(this)).collect(Collectors.joining(operator, "(", ")"));
    }

    @Override
    public String not(Condition.Not not) {
        return "(NOT " + not.negated().accept(this) + ")";
    }
}
