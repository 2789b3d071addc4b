package io.hereabouts.resolver.world;

import org.locationtech.jts.geom.Dimension;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.IntersectionMatrix;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Location;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.operation.relateng.RelateNG;
import org.locationtech.jts.operation.relateng.RelatePredicate;

/**
 * Does the DE-9IM matrix of two geometries match a pattern? JTS' RelateNG says so, but for one cell: of several lines it
 * looks at the ends of some only, and can miss that an end of the whole lies outside of the other geometry.
 *
 * @see <a href="https://github.com/locationtech/jts/issues/1175">JTS 1175, there up to 1.20.0</a>
 */
final class PatternMatch {

    private static final int BOUNDARY_EXTERIOR = 5;
    private static final int EXTERIOR_BOUNDARY = 7;
    private static final String ON_BOUNDARY = "***0*****";

    private PatternMatch() {}

    /**
     * True if the matrix of {@code a} and {@code b}, in this order, matches.
     *
     * @param prepared made of {@code a}
     */
    static boolean of(Geometry a, RelateNG prepared, Geometry b, String pattern) {
        boolean endsOfA = pattern.charAt(BOUNDARY_EXTERIOR) != '*' && lines(a) > 1;
        boolean endsOfB = pattern.charAt(EXTERIOR_BOUNDARY) != '*' && lines(b) > 1;
        if (!endsOfA && !endsOfB) {
            return prepared.evaluate(b, pattern);
        }
        IntersectionMatrix matrix = prepared.evaluate(b);
        if (endsOfA && matrix.get(Location.BOUNDARY, Location.EXTERIOR) == Dimension.FALSE && hasEndOutside(a, a, b)) {
            matrix.set(Location.BOUNDARY, Location.EXTERIOR, Dimension.P);
        }
        if (endsOfB && matrix.get(Location.EXTERIOR, Location.BOUNDARY) == Dimension.FALSE && hasEndOutside(b, b, a)) {
            matrix.set(Location.EXTERIOR, Location.BOUNDARY, Dimension.P);
        }
        return matrix.matches(pattern);
    }

    private static int lines(Geometry geometry) {
        if (geometry instanceof LineString) {
            return 1;
        }
        int lines = 0;
        for (int i = 0; geometry instanceof GeometryCollection && i < geometry.getNumGeometries(); i++) {
            lines += lines(geometry.getGeometryN(i));
        }
        return lines;
    }

    /** True if an end of a line in {@code part} is on the boundary of {@code whole} and outside of {@code other}. */
    private static boolean hasEndOutside(Geometry part, Geometry whole, Geometry other) {
        if (part instanceof LineString line) {
            return isEndOutside(line.getStartPoint(), whole, other) || isEndOutside(line.getEndPoint(), whole, other);
        }
        for (int i = 0; part instanceof GeometryCollection && i < part.getNumGeometries(); i++) {
            if (hasEndOutside(part.getGeometryN(i), whole, other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEndOutside(Point end, Geometry whole, Geometry other) {
        return RelateNG.relate(other, end, RelatePredicate.disjoint()) && RelateNG.relate(whole, end, ON_BOUNDARY);
    }
}
