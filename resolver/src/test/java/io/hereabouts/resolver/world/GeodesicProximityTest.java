package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Geometry;

/** The promise of {@link GeodesicProximity}: right beyond 1 mm + 10⁻⁶ of the distance, whatever the latitude and scale. */
final class GeodesicProximityTest {

    private static final int PAIRS = 12;

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
        GeodesicShapes shapes = new GeodesicShapes(random);
        int compared = 0;
        for (int i = 0; compared < PAIRS; i++) {
            double lon = random.nextDouble() * 360 - 180;
            Geometry a = shapes.near(lon, lat, metres, i % 3);
            Geometry b = shapes.near(lon, lat, metres, i / 3 % 3);
            if (a.intersects(b)) {
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
}
