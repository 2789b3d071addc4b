package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** The promise of {@link GeodesicProximity}: right beyond 1 mm + 10⁻⁶ of the distance, whatever the latitude and scale. */
final class GeodesicProximityTest {

    private static final int PAIRS = 12;

    private final GeometryFactory factory = new GeometryFactory();

    @ParameterizedTest
    @CsvSource({
        "1, 0, 50",
        "2, 52.5, 50",
        "3, 52.5, 2000",
        "4, -33, 100000",
        "5, 70, 20000",
        "6, 70, 1000000",
        "7, 89.5, 30000",
        "8, 52.5, 3000000"
    })
    void shouldBeRightWithinAMillimetreAndAMillionth(long seed, double lat, double metres) {
        Random random = new Random(seed);
        int compared = 0;
        for (int i = 0; compared < PAIRS; i++) {
            Coordinate centre = new CoordinateXY(random.nextDouble() * 360 - 180, lat);
            Geometry a = geometry(random, centre, metres, i % 3);
            Geometry b = geometry(random, centre, metres, i / 3 % 3);
            if (wraps(a) || wraps(b) || a.intersects(b)) {
                continue;
            }
            double distance = OracleDistance.metres(a, b, Double.POSITIVE_INFINITY);
            double tolerance = 0.001 + 1e-6 * distance;
            String pair = "seed " + seed + ": " + a + " and " + b + " at " + distance;
            GeodesicProximity prepared = new GeodesicProximity(a);
            assertThat(prepared.isWithin(b, distance + tolerance)).as(pair).isTrue();
            assertThat(distance > tolerance && prepared.isWithin(b, distance - tolerance))
                    .as(pair)
                    .isFalse();
            compared++;
        }
    }

    /** Within about {@code metres} of the centre: a point, an edge, or a triangle. */
    private Geometry geometry(Random random, Coordinate centre, double metres, int kind) {
        Coordinate[] ends = new Coordinate[kind + 1];
        for (int i = 0; i < ends.length; i++) {
            GeodesicData there =
                    Geodesic.WGS84.Direct(centre.y, centre.x, random.nextDouble() * 360, metres * random.nextDouble());
            ends[i] = new CoordinateXY(there.lon2, there.lat2);
        }
        return switch (kind) {
            case 0 -> factory.createPoint(ends[0]);
            case 1 -> factory.createLineString(ends);
            default -> factory.createPolygon(new Coordinate[] {ends[0], ends[1], ends[2], ends[0].copy()});
        };
    }

    /** An edge over the antimeridian goes the long way round in lon/lat: not what was drawn. */
    private static boolean wraps(Geometry g) {
        return g.getEnvelopeInternal().getWidth() > 180;
    }
}
