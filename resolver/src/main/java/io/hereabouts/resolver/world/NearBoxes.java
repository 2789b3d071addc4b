package io.hereabouts.resolver.world;

import java.util.List;
import org.locationtech.jts.geom.Envelope;

/**
 * Boxes in lon/lat that together hold every point within some metres of a box. Never too small, for it only proposes.
 *
 * <p>On the ellipsoid a path of length d from latitude φ reaches at most φ + d / M, with M the least meridional radius of
 * curvature, a(1-e²) at the equator. On the way one metre is at most 1 / (a cos φmax) of longitude, for the prime
 * vertical radius of curvature is at least a.
 */
final class NearBoxes {

    private static final double EQUATORIAL_RADIUS = 6_378_137.0;
    private static final double LEAST_MERIDIONAL_RADIUS = 6_335_439.0;
    /** Beyond this latitude a path can go round the pole. */
    private static final double NEAR_POLE = 89.9;
    /** Far above the rounding of coordinates, far below a millimetre. */
    private static final double SLACK = 1e-10;

    private NearBoxes() {}

    /** One box, or two if it reaches over the antimeridian. */
    static List<Envelope> around(Envelope box, double metres) {
        if (metres == 0) {
            return List.of(box);
        }
        double up = Math.toDegrees(metres / LEAST_MERIDIONAL_RADIUS) + SLACK;
        double south = Math.max(-90, box.getMinY() - up);
        double north = Math.min(90, box.getMaxY() + up);
        double farthest = Math.max(Math.abs(south), Math.abs(north));
        if (farthest > NEAR_POLE) {
            return List.of(new Envelope(-180, 180, south, north));
        }
        double aside =
                Math.toDegrees(metres / (EQUATORIAL_RADIUS * Math.cos(Math.toRadians(farthest)))) * (1 + 1e-9) + SLACK;
        double west = box.getMinX() - aside;
        double east = box.getMaxX() + aside;
        if (east - west >= 360) {
            return List.of(new Envelope(-180, 180, south, north));
        }
        if (west < -180) {
            return List.of(new Envelope(-180, east, south, north), new Envelope(west + 360, 180, south, north));
        }
        if (east > 180) {
            return List.of(new Envelope(west, 180, south, north), new Envelope(-180, east - 360, south, north));
        }
        return List.of(new Envelope(west, east, south, north));
    }
}
