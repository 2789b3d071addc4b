package io.hereabouts.resolver.world;

import java.util.ArrayList;
import java.util.List;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicMask;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/**
 * The geodesic distance of geometries by search alone: every edge of one against every edge of the other, both walked
 * along at once, finer and finer. Knows nothing of derivatives, curvature or boxes.
 */
final class OracleDistance {

    private static final int GRID = 8;

    private OracleDistance() {}

    /** Metres, 0 if they have a point in common; more than {@code enough} may come back as infinite. */
    static double metres(Geometry a, Geometry b, double enough) {
        if (a.intersects(b)) {
            return 0;
        }
        double best = Double.POSITIVE_INFINITY;
        for (Coordinate[] ea : edges(a)) {
            for (Coordinate[] eb : edges(b)) {
                double middle = at(ea, 0.5, eb, 0.5);
                double reach = (Part.of(ea).length() + Part.of(eb).length()) * 0.51 + 1;
                if (middle - reach < Math.min(best, enough)) {
                    best = Math.min(best, search(ea, eb));
                }
            }
        }
        return best;
    }

    /** True if they have a point in common or points within so many metres, to a tenth of a millimetre. */
    static boolean isWithin(Geometry a, Geometry b, double metres) {
        if (a.intersects(b)) {
            return true;
        }
        for (Coordinate[] ea : edges(a)) {
            for (Coordinate[] eb : edges(b)) {
                if (isWithin(Part.of(ea), Part.of(eb), metres)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Halves the longer part until the middles are near enough or the parts too far apart. */
    private static boolean isWithin(Part a, Part b, double metres) {
        double middles = Geodesic.WGS84.Inverse(
                        (a.lat1 + a.lat2) / 2,
                        (a.lon1 + a.lon2) / 2,
                        (b.lat1 + b.lat2) / 2,
                        (b.lon1 + b.lon2) / 2,
                        GeodesicMask.DISTANCE)
                .s12;
        if (middles <= metres) {
            return true;
        }
        double lengthA = a.length();
        double lengthB = b.length();
        if (middles - (lengthA + lengthB) * 0.51 > metres || lengthA + lengthB < 0.0001) {
            return false;
        }
        return lengthA > lengthB
                ? isWithin(a.firstHalf(), b, metres) || isWithin(a.secondHalf(), b, metres)
                : isWithin(a, b.firstHalf(), metres) || isWithin(a, b.secondHalf(), metres);
    }

    /** A part of an edge. */
    private record Part(double lon1, double lat1, double lon2, double lat2) {
        static Part of(Coordinate[] edge) {
            return new Part(edge[0].x, edge[0].y, edge[1].x, edge[1].y);
        }

        /** An upper bound: along the longer of the parallels, then along a meridian. */
        double length() {
            double lowest = lat1 * lat2 <= 0 ? 0 : Math.min(Math.abs(lat1), Math.abs(lat2));
            double east = Math.toRadians(Math.abs(lon2 - lon1)) * Math.cos(Math.toRadians(lowest));
            return 6_400_000 * (east + Math.toRadians(Math.abs(lat2 - lat1)));
        }

        Part firstHalf() {
            return new Part(lon1, lat1, (lon1 + lon2) / 2, (lat1 + lat2) / 2);
        }

        Part secondHalf() {
            return new Part((lon1 + lon2) / 2, (lat1 + lat2) / 2, lon2, lat2);
        }
    }

    /** Looks at a grid over both edges, then at a smaller one around the best cell, and so on. */
    private static double search(Coordinate[] a, Coordinate[] b) {
        double s = 0.5;
        double t = 0.5;
        double half = 0.5;
        double best = at(a, s, b, t);
        boolean pointA = a[0].equals2D(a[1]);
        boolean pointB = b[0].equals2D(b[1]);
        while (half > 1e-9) {
            double centreS = s;
            double centreT = t;
            for (int i = 0; i <= (pointA ? 0 : GRID); i++) {
                for (int j = 0; j <= (pointB ? 0 : GRID); j++) {
                    double si = clamp(centreS - half + 2 * half * i / GRID);
                    double tj = clamp(centreT - half + 2 * half * j / GRID);
                    double found = at(a, si, b, tj);
                    if (found < best) {
                        best = found;
                        s = si;
                        t = tj;
                    }
                }
            }
            half *= s == centreS && t == centreT ? 0.4 : 0.7;
        }
        return best;
    }

    private static double clamp(double t) {
        return Math.max(0, Math.min(1, t));
    }

    private static double at(Coordinate[] a, double s, Coordinate[] b, double t) {
        return Geodesic.WGS84.Inverse(
                        a[0].y + (a[1].y - a[0].y) * s,
                        a[0].x + (a[1].x - a[0].x) * s,
                        b[0].y + (b[1].y - b[0].y) * t,
                        b[0].x + (b[1].x - b[0].x) * t,
                        GeodesicMask.DISTANCE)
                .s12;
    }

    private static List<Coordinate[]> edges(Geometry g) {
        List<Coordinate[]> edges = new ArrayList<>();
        if (g instanceof GeometryCollection) {
            for (int i = 0; i < g.getNumGeometries(); i++) {
                edges.addAll(edges(g.getGeometryN(i)));
            }
        } else if (g instanceof Polygon polygon) {
            edges.addAll(edges(polygon.getBoundary()));
        } else if (g instanceof LineString line) {
            for (int i = 1; i < line.getNumPoints(); i++) {
                edges.add(new Coordinate[] {line.getCoordinateN(i - 1), line.getCoordinateN(i)});
            }
        } else if (g instanceof Point point) {
            edges.add(new Coordinate[] {point.getCoordinate(), point.getCoordinate()});
        }
        return edges;
    }
}
