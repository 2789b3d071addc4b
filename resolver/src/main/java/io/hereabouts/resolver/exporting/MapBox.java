package io.hereabouts.resolver.exporting;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;

/**
 * The part of the world that a map shows, in degrees. One that lies on both sides of the antimeridian has longitudes from 0
 * to 360. Immutable.
 *
 * @param pacific true if western longitudes count from 180 on
 */
record MapBox(Envelope degrees, boolean pacific) {

    private static final double MARGIN = 0.06;
    /** Some 50 m, so that a single point has surroundings. */
    private static final double LEAST_MARGIN = 0.0005;
    /** Towards the poles a map of degrees has no sense; it should not divide by 0 all the same. */
    private static final double LEAST_COSINE = 0.01;

    /** A box around all of them with a margin; around the whole world if there are none. */
    static MapBox around(Iterable<Geometry> geometries) {
        Envelope plain = new Envelope();
        Envelope shifted = new Envelope();
        for (Geometry geometry : geometries) {
            for (Coordinate c : geometry.getCoordinates()) {
                plain.expandToInclude(c);
                shifted.expandToInclude(eastern(c.x), c.y);
            }
        }
        if (plain.isNull()) {
            return new MapBox(new Envelope(-180, 180, -90, 90), false);
        }
        boolean pacific = plain.getWidth() > 180 && shifted.getWidth() < plain.getWidth();
        Envelope degrees = pacific ? shifted : plain;
        double cosine = cosine(degrees);
        double margin = Math.max(LEAST_MARGIN, MARGIN * Math.max(degrees.getWidth() * cosine, degrees.getHeight()));
        degrees.expandBy(margin / cosine, margin);
        return new MapBox(degrees, pacific);
    }

    /** True if some of the geometry may be in the box. */
    boolean sees(Geometry geometry) {
        Envelope box = geometry.getEnvelopeInternal();
        if (!pacific) {
            return degrees.intersects(box);
        }
        Envelope shifted = new Envelope(box);
        shifted.translate(360, 0);
        return degrees.intersects(box) || degrees.intersects(shifted);
    }

    /** The positions with the longitudes of this box, fresh ones. */
    Coordinate[] inBox(Coordinate[] positions) {
        Coordinate[] moved = new Coordinate[positions.length];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = inBox(positions[i]);
        }
        return moved;
    }

    Coordinate inBox(Coordinate c) {
        return new Coordinate(pacific ? eastern(c.x) : c.x, c.y);
    }

    /** How many degrees of latitude a degree of longitude in the middle is long. */
    double cosine() {
        return cosine(degrees);
    }

    private static double cosine(Envelope box) {
        double middle = (box.getMinY() + box.getMaxY()) / 2;
        return Math.max(LEAST_COSINE, StrictMath.cos(Math.toRadians(middle)));
    }

    private static double eastern(double longitude) {
        return longitude < 0 ? longitude + 360 : longitude;
    }
}
