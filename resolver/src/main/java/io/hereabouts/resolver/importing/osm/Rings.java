package io.hereabouts.resolver.importing.osm;

import java.util.LinkedHashSet;
import java.util.Set;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineSegment;
import org.locationtech.jts.operation.polygonize.Polygonizer;

/**
 * Makes the polygons that lines, end to end in any order, are the borders of. What is inside is what an odd number of
 * rings lies around, whatever roles the lines are said to have: holes, islands in holes, and rings that touch in points
 * or share sides come out of that. For one thread.
 *
 * @see <a href="https://wiki.openstreetmap.org/wiki/Relation:multipolygon">Multipolygon relations</a>
 */
final class Rings {

    private final GeometryFactory factory;
    private final Set<LineSegment> segments = new LinkedHashSet<>();
    private final Set<Coordinate> openEnds = new LinkedHashSet<>();

    Rings(GeometryFactory factory) {
        this.factory = factory;
    }

    /** A side that is there twice is inside, or outside, on both sides of it: it is no border. */
    void add(Coordinate[] line) {
        for (int i = 1; i < line.length; i++) {
            if (!line[i].equals2D(line[i - 1])) {
                LineSegment segment = new LineSegment(line[i - 1], line[i]);
                segment.normalize();
                toggle(segment, segments);
                toggle(line[i - 1], openEnds);
                toggle(line[i], openEnds);
            }
        }
    }

    private static <T> void toggle(T element, Set<T> set) {
        if (!set.add(element)) {
            set.remove(element);
        }
    }

    /**
     * The polygon or polygons in normal form: the polygonizer begins rings anywhere, and what is read twice should be the
     * same. They may still be invalid where rings cross each other.
     *
     * @throws IllegalArgumentException if the lines do not close to rings; the message names a place
     */
    Geometry polygons() {
        if (!openEnds.isEmpty()) {
            Coordinate at = openEnds.iterator().next();
            throw new IllegalArgumentException(
                    "rings are not closed: " + openEnds.size() + " open ends, one at " + at.x + " " + at.y);
        }
        Polygonizer polygonizer = new Polygonizer(true);
        for (LineSegment segment : segments) {
            polygonizer.add(factory.createLineString(new Coordinate[] {segment.p0, segment.p1}));
        }
        return polygonizer.getGeometry().norm();
    }
}
