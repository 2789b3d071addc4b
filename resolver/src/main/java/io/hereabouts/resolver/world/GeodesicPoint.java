package io.hereabouts.resolver.world;

import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import net.sf.geographiclib.GeodesicMask;

/**
 * The distance from one point to an edge that is straight in lon/lat, on the WGS 84 ellipsoid. Exact but for rounding:
 * the foot of the edge is where the geodesic from the point meets it at a right angle, found with the geodesic's own
 * azimuth (Karney 2013), not with a projection.
 *
 * <p>Along the edge the distance falls and then rises, as long as it is below the radius at which the edge itself curves,
 * at least R / (2 tan φ). {@link Edges} keeps edges so short that a second dip, where there can be one, is far below the
 * promised accuracy.
 */
final class GeodesicPoint {

    private static final double EQUATORIAL_RADIUS = 6_378_137.0;
    private static final double FLATTENING = 1 / 298.257_223_563;
    private static final double ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
    /** A foot this close to the true one changes nothing that is promised; in metres. */
    private static final double FOOT_TOLERANCE = 1e-5;

    private static final int MASK = GeodesicMask.DISTANCE | GeodesicMask.AZIMUTH;
    private static final int MOST_STEPS = 60;

    private final double lon;
    private final double lat;
    /** Of the last {@link #lookAt}. */
    private double distance;
    /** Metres of distance gained per edge, of the last {@link #lookAt}. */
    private double slope;

    GeodesicPoint(double lon, double lat) {
        this.lon = lon;
        this.lat = lat;
    }

    /**
     * True if the point is at most {@code metres} from the edge. Stops as soon as the outcome is certain: the distance
     * lies between what was found so far and what the slope still allows.
     */
    boolean isWithin(double lon1, double lat1, double lon2, double lat2, double metres) {
        lookAt(0, lon1, lat1, lon2, lat2);
        if (distance <= metres) {
            return true;
        }
        double lowSlope = slope;
        if (lowSlope >= 0 || distance + lowSlope > metres) {
            return false;
        }
        lookAt(1, lon1, lat1, lon2, lat2);
        if (distance <= metres) {
            return true;
        }
        double highSlope = slope;
        if (highSlope <= 0 || distance - highSlope > metres) {
            return false;
        }
        double low = 0;
        double high = 1;
        for (int step = 0; step < MOST_STEPS; step++) {
            double t = low + (high - low) * foot(lowSlope, highSlope, step);
            lookAt(t, lon1, lat1, lon2, lat2);
            if (distance <= metres) {
                return true;
            }
            double remaining = slope > 0 ? slope * (t - low) : -slope * (high - t);
            if (distance - remaining > metres || remaining < FOOT_TOLERANCE) {
                return false;
            }
            if (slope > 0) {
                high = t;
                highSlope = slope;
            } else {
                low = t;
                lowSlope = slope;
            }
        }
        return false;
    }

    /** Regula falsi, with every third step in the middle so that no end of the bracket stays for ever. */
    private static double foot(double lowSlope, double highSlope, int step) {
        return step % 3 == 2 ? 0.5 : lowSlope / (lowSlope - highSlope);
    }

    private void lookAt(double t, double lon1, double lat1, double lon2, double lat2) {
        double phi = lat1 + (lat2 - lat1) * t;
        GeodesicData found = Geodesic.WGS84.Inverse(lat, lon, phi, lon1 + (lon2 - lon1) * t, MASK);
        distance = found.s12;
        double sin = Math.sin(Math.toRadians(phi));
        double w = Math.sqrt(1 - ECCENTRICITY_SQUARED * sin * sin);
        double east = Math.toRadians(lon2 - lon1) * EQUATORIAL_RADIUS / w * Math.cos(Math.toRadians(phi));
        double north = Math.toRadians(lat2 - lat1) * EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED) / (w * w * w);
        double azimuth = Math.toRadians(found.azi2);
        slope = east * Math.sin(azimuth) + north * Math.cos(azimuth);
    }
}
