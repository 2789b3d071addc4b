package io.hereabouts.resolver.exporting;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;

/**
 * From degrees to pixels: equirectangular with the cosine of the middle latitude, so that shapes of the size of a city look
 * right. y points down. Immutable.
 *
 * @param width of the map in pixels
 * @param height of the map in pixels
 * @param scale pixels to a degree of latitude
 */
record MapProjection(MapBox box, double width, double height, double scale) {

    private static final double EQUATORIAL_RADIUS = 6_378_137.0;
    private static final double ECCENTRICITY_SQUARED = 0.006694379990141317;

    /** As large as it can be in this width, and no higher than wide nor lower than a quarter of that. */
    static MapProjection of(MapBox box, double width) {
        Envelope degrees = box.degrees();
        double scale = Math.min(width / (degrees.getWidth() * box.cosine()), width / degrees.getHeight());
        double height = Math.ceil(Math.max(width / 4, scale * degrees.getHeight()));
        return new MapProjection(box, width, height, scale);
    }

    /** A position whose longitude is in the box' range, in pixels. */
    Coordinate pixel(Coordinate c) {
        Coordinate middle = box.degrees().centre();
        return new Coordinate(
                width / 2 + (c.x - middle.x) * box.cosine() * scale, height / 2 - (c.y - middle.y) * scale);
    }

    boolean shows(Coordinate pixel) {
        return pixel.x >= 0 && pixel.x <= width && pixel.y >= 0 && pixel.y <= height;
    }

    /** What a pixel is along the parallel in the middle, in metres on WGS 84. */
    double metres() {
        double sine = StrictMath.sin(Math.toRadians(box.degrees().centre().y));
        double radius = EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
        return Math.toRadians(1) * radius / scale;
    }

    /** What is drawn at all: the map and as much on each side of it, so that where it is cut is never seen. */
    Envelope drawn() {
        Envelope drawn = new Envelope(box.degrees());
        drawn.expandBy(width / (box.cosine() * scale), height / scale);
        return drawn;
    }
}
