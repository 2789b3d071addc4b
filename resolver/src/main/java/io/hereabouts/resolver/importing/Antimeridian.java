package io.hereabouts.resolver.importing;

import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateFilter;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.overlayng.OverlayNG;
import org.locationtech.jts.operation.overlayng.OverlayNGRobust;

/**
 * Lines and areas that go over the antimeridian, cut there as RFC 7946 §3.1.9 has it. There are two ways to write what is
 * not cut:
 *
 * <ul>
 *   <li>longitudes go on beyond ±180, up to ±360;
 *   <li>all longitudes are within ±180, and two positions that follow each other are more than 180° apart: the way
 *       between them is the short one. Whoever means the long one puts a position in between. A side from exactly -180 to
 *       exactly 180 goes round the world and is left alone.
 * </ul>
 *
 * <p>A geometry that is cut already is left as it is. No state.
 */
final class Antimeridian {

    private static final double HALF = 180;
    private static final double WHOLE = 360;

    private Antimeridian() {}

    /** True if the geometry is written in one of the two ways. */
    static boolean isUncut(Geometry geometry) {
        if (geometry.getDimension() == 0) {
            return false;
        }
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            Geometry part = geometry.getGeometryN(i);
            if (goesBeyond(part) || lines(part).stream().anyMatch(Antimeridian::jumps)) {
                return true;
            }
        }
        return false;
    }

    private static boolean goesBeyond(Geometry part) {
        Envelope box = part.getEnvelopeInternal();
        return (box.getMinX() < -HALF || box.getMaxX() > HALF) && box.getMinX() >= -WHOLE && box.getMaxX() <= WHOLE;
    }

    private static List<LineString> lines(Geometry part) {
        if (!(part instanceof Polygon polygon)) {
            return part instanceof LineString line ? List.of(line) : List.of();
        }
        List<LineString> rings = new ArrayList<>();
        rings.add(polygon.getExteriorRing());
        for (int i = 0; i < polygon.getNumInteriorRing(); i++) {
            rings.add(polygon.getInteriorRingN(i));
        }
        return rings;
    }

    private static boolean jumps(LineString line) {
        for (int i = 1; i < line.getNumPoints(); i++) {
            if (turn(line.getCoordinateN(i - 1).x, line.getCoordinateN(i).x) != 0) {
                return true;
            }
        }
        return false;
    }

    /** By how much the second longitude has to be moved so that the short way to it is the straight one. */
    private static double turn(double from, double to) {
        double step = to - from;
        boolean jump = Math.abs(step) > HALF && Math.abs(step) < WHOLE;
        return jump ? -Math.signum(step) * WHOLE : 0;
    }

    /**
     * The same without the jumps: longitudes go on beyond ±180.
     *
     * @throws IllegalArgumentException if a ring goes round a pole
     */
    static Geometry unrolled(Geometry geometry) {
        GeometryFactory factory = geometry.getFactory();
        List<Geometry> parts = new ArrayList<>();
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            Geometry part = geometry.getGeometryN(i);
            if (part instanceof Polygon polygon) {
                parts.add(unrolled(polygon, factory));
            } else if (part instanceof LineString line) {
                parts.add(factory.createLineString(unrolled(line, goesBeyond(part))));
            } else {
                parts.add(part);
            }
        }
        return parts.size() == 1 ? parts.get(0) : factory.buildGeometry(parts);
    }

    private static Polygon unrolled(Polygon polygon, GeometryFactory factory) {
        boolean asItIs = goesBeyond(polygon);
        LinearRing shell = factory.createLinearRing(unrolled(polygon.getExteriorRing(), asItIs));
        LinearRing[] holes = new LinearRing[polygon.getNumInteriorRing()];
        for (int i = 0; i < holes.length; i++) {
            Coordinate[] hole = unrolled(polygon.getInteriorRingN(i), asItIs);
            holes[i] = factory.createLinearRing(besides(hole, shell.getEnvelopeInternal()));
        }
        return factory.createPolygon(shell, holes);
    }

    private static Coordinate[] unrolled(LineString line, boolean asItIs) {
        Coordinate[] positions = line.getCoordinates();
        Coordinate[] unrolled = new Coordinate[positions.length];
        double moved = 0;
        for (int i = 0; i < positions.length; i++) {
            moved += i == 0 || asItIs ? 0 : turn(positions[i - 1].x, positions[i].x);
            unrolled[i] = new CoordinateXY(positions[i].x + moved, positions[i].y);
        }
        if (moved != 0 && line.isClosed()) {
            throw new IllegalArgumentException(
                    "ring goes round a pole; it has to be cut at the antimeridian (RFC 7946 §3.1.9)");
        }
        return unrolled;
    }

    /** A hole may be written on the other side of the antimeridian than its shell. */
    private static Coordinate[] besides(Coordinate[] hole, Envelope shell) {
        for (double turn : new double[] {0, WHOLE, -WHOLE}) {
            Coordinate[] moved = new Coordinate[hole.length];
            Envelope box = new Envelope();
            for (int i = 0; i < hole.length; i++) {
                moved[i] = new CoordinateXY(hole[i].x + turn, hole[i].y);
                box.expandToInclude(moved[i]);
            }
            if (shell.covers(box)) {
                return moved;
            }
        }
        return hole;
    }

    /**
     * The unrolled geometry cut at ±180, all within it.
     *
     * @param unrolled valid
     */
    static Geometry cut(Geometry unrolled) {
        GeometryFactory factory = unrolled.getFactory();
        Envelope whole = unrolled.getEnvelopeInternal();
        List<Geometry> parts = new ArrayList<>();
        for (double west = -HALF + WHOLE * Math.floor((whole.getMinX() + HALF) / WHOLE);
                west < whole.getMaxX();
                west += WHOLE) {
            Geometry world =
                    factory.toGeometry(new Envelope(west, west + WHOLE, whole.getMinY() - 1, whole.getMaxY() + 1));
            Geometry inside = OverlayNGRobust.overlay(unrolled, world, OverlayNG.INTERSECTION);
            double back = -HALF - west;
            for (int i = 0; i < inside.getNumGeometries(); i++) {
                Geometry part = inside.getGeometryN(i);
                if (!part.isEmpty() && part.getDimension() == unrolled.getDimension()) {
                    parts.add(moved(part.copy(), back));
                }
            }
        }
        return factory.buildGeometry(parts);
    }

    /** An intersection with the edge may be computed to lie a rounding error beyond it. */
    private static Geometry moved(Geometry part, double by) {
        part.apply((CoordinateFilter) c -> c.x = Math.max(-HALF, Math.min(HALF, c.x + by)));
        part.geometryChanged();
        return part;
    }
}
