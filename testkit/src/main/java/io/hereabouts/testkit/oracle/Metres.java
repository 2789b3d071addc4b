package io.hereabouts.testkit.oracle;

import java.util.ArrayList;
import java.util.List;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicMask;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.util.LinearComponentExtracter;

/**
 * Distances on the WGS 84 ellipsoid between geometries whose edges are straight in lon/lat. Where they do not intersect,
 * the nearest two points are a corner of one and a point on an edge of the other: edges are cut into short pieces, and
 * on each piece the nearest point is searched for by halving.
 */
final class Metres {

    /** Longest piece, in degrees; on so short a piece the distance to a point falls, then rises. */
    private static final double PIECE = 0.01;

    private Metres() {}

    static boolean within(Geometry a, Geometry b, double metres) {
        if (a.isEmpty() || b.isEmpty() || surelyFarther(a.getEnvelopeInternal(), b.getEnvelopeInternal(), metres)) {
            return false;
        }
        return distance(a, b) <= metres;
    }

    static double distance(Geometry a, Geometry b) {
        if (a.intersects(b)) {
            return 0;
        }
        return Math.min(fromCorners(a, b), fromCorners(b, a));
    }

    private static double fromCorners(Geometry corners, Geometry edges) {
        double nearest = Double.POSITIVE_INFINITY;
        List<Coordinate[]> pieces = pieces(edges);
        for (Coordinate corner : corners.getCoordinates()) {
            for (Coordinate[] piece : pieces) {
                nearest = Math.min(nearest, toPiece(corner, piece[0], piece[1]));
            }
        }
        return nearest;
    }

    private static double toPiece(Coordinate p, Coordinate from, Coordinate to) {
        double low = 0;
        double high = 1;
        while (high - low > 1e-6) {
            double third = (high - low) / 3;
            if (metres(p, on(from, to, low + third)) <= metres(p, on(from, to, high - third))) {
                high -= third;
            } else {
                low += third;
            }
        }
        return Math.min(metres(p, on(from, to, (low + high) / 2)), Math.min(metres(p, from), metres(p, to)));
    }

    private static List<Coordinate[]> pieces(Geometry geometry) {
        List<Coordinate[]> pieces = new ArrayList<>();
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            if (geometry.getGeometryN(i) instanceof Point point) {
                pieces.add(new Coordinate[] {point.getCoordinate(), point.getCoordinate()});
            }
        }
        for (Object line : LinearComponentExtracter.getLines(geometry)) {
            Coordinate[] corners = ((LineString) line).getCoordinates();
            for (int i = 1; i < corners.length; i++) {
                int count = (int) Math.ceil(corners[i - 1].distance(corners[i]) / PIECE);
                for (int k = 0; k < count; k++) {
                    pieces.add(new Coordinate[] {
                        on(corners[i - 1], corners[i], (double) k / count),
                        on(corners[i - 1], corners[i], (double) (k + 1) / count)
                    });
                }
            }
        }
        return pieces;
    }

    private static Coordinate on(Coordinate from, Coordinate to, double part) {
        return new Coordinate(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
    }

    private static double metres(Coordinate a, Coordinate b) {
        return Geodesic.WGS84.Inverse(a.y, a.x, b.y, b.x, GeodesicMask.DISTANCE).s12;
    }

    /**
     * Saves most of the work. A degree of latitude is longer than 110,574 m, so a way of so many metres stays below the
     * latitude {@code highest}, where a degree of longitude is longer than 111,000 m times the cosine.
     */
    private static boolean surelyFarther(Envelope a, Envelope b, double metres) {
        double north = Math.max(a.getMinY() - b.getMaxY(), b.getMinY() - a.getMaxY());
        if (north * 110_574 > metres) {
            return true;
        }
        double highest = metres / 110_574
                + Math.max(
                        Math.max(Math.abs(a.getMinY()), Math.abs(a.getMaxY())),
                        Math.max(Math.abs(b.getMinY()), Math.abs(b.getMaxY())));
        double east = Math.max(a.getMinX() - b.getMaxX(), b.getMinX() - a.getMaxX());
        double around = 360 - Math.max(a.getMaxX() - b.getMinX(), b.getMaxX() - a.getMinX());
        return highest < 89 && Math.min(east, around) * 111_000 * Math.cos(Math.toRadians(highest)) > metres;
    }
}
