package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.GeometryRules;
import java.util.Random;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** Random shapes whose corners are within some metres of a place. For one thread. */
final class GeodesicShapes {

    private final Random random;
    private final GeometryFactory factory = new GeometryFactory();

    GeodesicShapes(Random random) {
        this.random = random;
    }

    /** A point (kind 0), an edge (1) or a triangle (2) that does not go the long way round over the antimeridian. */
    Geometry near(double lon, double lat, double metres, int kind) {
        while (true) {
            Geometry geometry = shape(lon, lat, metres, kind);
            if (geometry.getEnvelopeInternal().getWidth() < 180
                    && GeometryRules.problem(geometry).isEmpty()) {
                return geometry;
            }
        }
    }

    private Geometry shape(double lon, double lat, double metres, int kind) {
        Coordinate[] corners = new Coordinate[kind + 1];
        for (int i = 0; i < corners.length; i++) {
            GeodesicData there =
                    Geodesic.WGS84.Direct(lat, lon, random.nextDouble() * 360, metres * random.nextDouble());
            corners[i] = new CoordinateXY(there.lon2, there.lat2);
        }
        return switch (kind) {
            case 0 -> factory.createPoint(corners[0]);
            case 1 -> factory.createLineString(corners);
            default -> factory.createPolygon(new Coordinate[] {corners[0], corners[1], corners[2], corners[0].copy()});
        };
    }
}
