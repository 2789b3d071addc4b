package io.hereabouts.resolver.exporting;

import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFilter;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.overlayng.LineLimiter;
import org.locationtech.jts.operation.overlayng.RingClipper;

/**
 * A geometry in the words of SVG's path data (SVG 1.1 §8.3), in tenths of a pixel. What is far outside the map is cut off from
 * areas, and left out of lines but for the next position. Immutable.
 *
 * @param areas all rings, to be filled by the rule evenodd; empty if there are none
 * @param lines all lines; empty if there are none
 * @param points in pixels
 */
record SvgPaths(String areas, String lines, List<Coordinate> points) {

    static SvgPaths of(Geometry geometry, MapProjection projection) {
        StringBuilder areas = new StringBuilder();
        StringBuilder lines = new StringBuilder();
        List<Coordinate> points = new ArrayList<>();
        RingClipper rings = new RingClipper(projection.drawn());
        MapBox box = projection.box();
        geometry.apply((GeometryFilter) part -> {
            if (part instanceof Point point) {
                points.add(projection.pixel(box.inBox(point.getCoordinate())));
            } else if (part instanceof LineString line) {
                // one for each line: a limiter keeps what it found
                new LineLimiter(projection.drawn())
                        .limit(box.inBox(line.getCoordinates()))
                        .forEach(section -> append(section, false, projection, lines));
            } else if (part instanceof Polygon polygon) {
                append(rings.clip(box.inBox(polygon.getExteriorRing().getCoordinates())), true, projection, areas);
                for (int i = 0; i < polygon.getNumInteriorRing(); i++) {
                    LinearRing hole = polygon.getInteriorRingN(i);
                    append(rings.clip(box.inBox(hole.getCoordinates())), true, projection, areas);
                }
            }
        });
        return new SvgPaths(areas.toString(), lines.toString(), points);
    }

    /** Positions that fall on the same tenth of a pixel are written once; of a tiny thing a dot remains. */
    private static void append(Coordinate[] positions, boolean ring, MapProjection projection, StringBuilder path) {
        if (positions.length == 0) {
            return;
        }
        int end = ring ? positions.length - 1 : positions.length;
        String before = "";
        int written = 0;
        for (int i = 0; i < end; i++) {
            Coordinate pixel = projection.pixel(positions[i]);
            String text = number(pixel.x) + " " + number(pixel.y);
            if (!text.equals(before)) {
                path.append(written == 0 ? "M" : written == 1 ? "L" : " ").append(text);
                written++;
                before = text;
            }
        }
        path.append(ring ? "Z" : written == 1 ? "L" + before : "");
    }

    /** At most one decimal, and none where it is 0. */
    static String number(double pixels) {
        long tenths = Math.round(pixels * 10);
        return tenths % 10 == 0
                ? String.valueOf(tenths / 10)
                : (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10 + "." + Math.abs(tenths) % 10;
    }
}
