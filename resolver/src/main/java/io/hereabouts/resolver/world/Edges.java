package io.hereabouts.resolver.world;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.locationtech.jts.geom.CoordinateSequence;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/**
 * The edges of a geometry, straight in lon/lat, cut so short that none leaves the geodesic between its ends by more than
 * a few centimetres. A point is an edge without length.
 *
 * <p>Why that suffices for millimetres: of two edges that do not meet, the nearest points include an end of one of them,
 * unless both curve towards each other. Two edges of heading difference θ at distance D have such a pair only if θ² is
 * below 2κD, with κ the curvature tan φ / R that both share but for a part of θ; at 5 cm of rise the pair is nearer than
 * the best end by less than 5 cm · θ, which is below 1 mm + 10⁻⁶ D.
 */
final class Edges {

    private static final double GREATEST_MERIDIONAL_RADIUS = 6_399_594.0;
    private static final double MOST_RISE = 0.05;
    private static final double MOST_RISE_NEAR_POLE = 0.0005;
    private static final double NEAR_POLE = 85;
    private static final int MOST_PIECES = 200_000;

    private final List<Envelope> within;
    private final BitSet lineEnds = new BitSet();
    private double[] ends = new double[16];
    private int size;

    private Edges(List<Envelope> within) {
        this.within = within;
    }

    /** All edges of the geometry. */
    static Edges of(Geometry geometry) {
        return of(geometry, List.of(new Envelope(-180, 180, -90, 90)));
    }

    /** Those edges of the geometry whose boxes meet one of the boxes {@code within}. */
    static Edges of(Geometry geometry, List<Envelope> within) {
        Edges edges = new Edges(within);
        edges.add(geometry);
        return edges;
    }

    int size() {
        return size;
    }

    double lon1(int edge) {
        return ends[4 * edge];
    }

    double lat1(int edge) {
        return ends[4 * edge + 1];
    }

    double lon2(int edge) {
        return ends[4 * edge + 2];
    }

    double lat2(int edge) {
        return ends[4 * edge + 3];
    }

    /** True if no other edge here begins where this one ends. */
    boolean isLineEnd(int edge) {
        return lineEnds.get(edge);
    }

    Envelope box(int edge) {
        return new Envelope(lon1(edge), lon2(edge), lat1(edge), lat2(edge));
    }

    private void add(Geometry geometry) {
        if (geometry instanceof GeometryCollection) {
            for (int i = 0; i < geometry.getNumGeometries(); i++) {
                add(geometry.getGeometryN(i));
            }
        } else if (geometry instanceof Polygon polygon) {
            addLine(polygon.getExteriorRing().getCoordinateSequence());
            for (int i = 0; i < polygon.getNumInteriorRing(); i++) {
                addLine(polygon.getInteriorRingN(i).getCoordinateSequence());
            }
        } else if (geometry instanceof LineString line) {
            addLine(line.getCoordinateSequence());
        } else if (geometry instanceof Point point && !point.isEmpty()) {
            addIfWithin(point.getX(), point.getY(), point.getX(), point.getY());
        }
    }

    private void addLine(CoordinateSequence line) {
        for (int i = 1; i < line.size(); i++) {
            addCut(line.getX(i - 1), line.getY(i - 1), line.getX(i), line.getY(i));
        }
    }

    private void addCut(double lon1, double lat1, double lon2, double lat2) {
        if (!meets(lon1, lat1, lon2, lat2)) {
            return;
        }
        int pieces = pieces(lon1, lat1, lon2, lat2);
        double fromLon = lon1;
        double fromLat = lat1;
        for (int i = 1; i <= pieces; i++) {
            double t = (double) i / pieces;
            double toLon = i == pieces ? lon2 : lon1 + (lon2 - lon1) * t;
            double toLat = i == pieces ? lat2 : lat1 + (lat2 - lat1) * t;
            addIfWithin(fromLon, fromLat, toLon, toLat);
            fromLon = toLon;
            fromLat = toLat;
        }
    }

    /** An edge turns by at most 2 Δλ sin φ, and rises over its chord by at most a eighth of turn times length. */
    private static int pieces(double lon1, double lat1, double lon2, double lat2) {
        double turn = Math.abs(Math.toRadians(lon2 - lon1));
        double north = Math.abs(Math.toRadians(lat2 - lat1)) * GREATEST_MERIDIONAL_RADIUS;
        double least = lat1 * lat2 <= 0 ? 0 : Math.min(Math.abs(lat1), Math.abs(lat2));
        double most = Math.max(Math.abs(lat1), Math.abs(lat2));
        double east = turn * GREATEST_MERIDIONAL_RADIUS * Math.cos(Math.toRadians(least));
        double rise = 2 * turn * Math.sin(Math.toRadians(most)) * Math.hypot(east, north) / 8;
        double allowed = most > NEAR_POLE ? MOST_RISE_NEAR_POLE : MOST_RISE;
        return (int) Math.min(MOST_PIECES, Math.max(1, Math.ceil(Math.sqrt(rise / allowed))));
    }

    private void addIfWithin(double lon1, double lat1, double lon2, double lat2) {
        if (!meets(lon1, lat1, lon2, lat2)) {
            return;
        }
        if (ends.length < 4 * size + 4) {
            ends = Arrays.copyOf(ends, 2 * ends.length);
        }
        boolean continues = size > 0 && lon2(size - 1) == lon1 && lat2(size - 1) == lat1;
        if (continues) {
            lineEnds.clear(size - 1);
        }
        ends[4 * size] = lon1;
        ends[4 * size + 1] = lat1;
        ends[4 * size + 2] = lon2;
        ends[4 * size + 3] = lat2;
        lineEnds.set(size);
        size++;
    }

    private boolean meets(double lon1, double lat1, double lon2, double lat2) {
        for (Envelope box : within) {
            if (Math.min(lon1, lon2) <= box.getMaxX()
                    && Math.max(lon1, lon2) >= box.getMinX()
                    && Math.min(lat1, lat2) <= box.getMaxY()
                    && Math.max(lat1, lat2) >= box.getMinY()) {
                return true;
            }
        }
        return false;
    }
}
