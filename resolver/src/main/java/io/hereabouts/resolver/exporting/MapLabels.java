package io.hereabouts.resolver.exporting;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.locationtech.jts.algorithm.locate.SimplePointInAreaLocator;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.Lineal;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygonal;
import org.locationtech.jts.geom.Puntal;
import org.locationtech.jts.linearref.LengthIndexedLine;

/** Finds places for labels, so that none covers another. For one thread and one map. */
final class MapLabels {

    /** Height of the letters in pixels. */
    static final double SIZE = 11;

    private static final double LETTER = 0.58 * SIZE;
    private static final double LINE = SIZE + 2;
    private static final double DOT = 4;
    /** Tried one after the other, in lines below the first place. */
    private static final double[] SHIFTS = {0, 1, -1, 2, -2, 3};

    private final MapProjection projection;
    private final List<Envelope> taken = new ArrayList<>();

    MapLabels(MapProjection projection) {
        this.projection = projection;
    }

    /** Keeps labels off the points of a geometry that has nothing else. */
    void spare(Geometry geometry) {
        if (geometry instanceof Puntal) {
            for (Coordinate point : geometry.getCoordinates()) {
                Envelope dot = new Envelope(projection.pixel(projection.box().inBox(point)));
                dot.expandBy(DOT);
                taken.add(dot);
            }
        }
    }

    /** The middle of the text's base line in pixels; empty if there is no room for it on the map. */
    Optional<Coordinate> place(String text, Geometry geometry) {
        Coordinate anchor = projection.pixel(projection.box().inBox(anchor(geometry)));
        if (!projection.shows(anchor) || text.isEmpty()) {
            return Optional.empty();
        }
        double half = text.codePointCount(0, text.length()) * LETTER / 2;
        if (2 * half > projection.width()) {
            return Optional.empty();
        }
        double x = Math.max(half, Math.min(projection.width() - half, anchor.x));
        double first = anchor.y + (geometry instanceof Polygonal ? SIZE / 3 : -(DOT + 4));
        for (double shift : SHIFTS) {
            double y = first + shift * LINE;
            Envelope room = new Envelope(x - half, x + half, y - SIZE, y + 2);
            if (room.getMinY() >= 0
                    && room.getMaxY() <= projection.height()
                    && taken.stream().noneMatch(room::intersects)) {
                taken.add(room);
                return Optional.of(new Coordinate(x, y));
            }
        }
        return Optional.empty();
    }

    private static Coordinate anchor(Geometry geometry) {
        if (geometry instanceof Lineal) {
            return new LengthIndexedLine(geometry).extractPoint(geometry.getLength() / 2);
        }
        Point middle = geometry.getCentroid();
        boolean inside =
                geometry instanceof Polygonal && SimplePointInAreaLocator.isContained(middle.getCoordinate(), geometry);
        return (inside ? middle : geometry.getInteriorPoint()).getCoordinate();
    }
}
