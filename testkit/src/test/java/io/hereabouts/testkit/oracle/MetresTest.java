package io.hereabouts.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

class MetresTest {

    private static final GeometryFactory GEOMETRY = new GeometryFactory();

    /** A degree on the equator, on a meridian at both ends of a quadrant, and the way around the antimeridian. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POINT (0 0)|POINT (1 0)|111319.49",
                "POINT (0 0)|POINT (0 1)|110574.39",
                "POINT (0 89)|POINT (0 90)|111693.86",
                "POINT (179.5 0)|POINT (-179.5 0)|111319.49",
                "POINT (13.4 52.5)|LINESTRING (13.3 52.6, 13.4 52.5, 13.5 52.4)|0",
                "POINT (0 1)|LINESTRING (-1 0, 1 0)|110574.39",
                "POINT (1 0)|POLYGON ((-1 -1, 0 -1, 0 1, -1 1, -1 -1))|111319.49",
                "POINT (-0.5 0)|POLYGON ((-1 -1, 0 -1, 0 1, -1 1, -1 -1))|0",
                "MULTIPOINT ((5 5), (0 1))|LINESTRING (-1 0, 1 0)|110574.39"
            })
    void shouldMeasureOnTheEllipsoid(String a, String b, double metres) throws ParseException {
        assertThat(Metres.distance(wkt(a), wkt(b))).isCloseTo(metres, within(0.01));
        assertThat(Metres.distance(wkt(b), wkt(a))).isCloseTo(metres, within(0.01));
        assertThat(Metres.within(wkt(a), wkt(b), metres + 0.01)).isTrue();
        assertThat(Metres.within(wkt(a), wkt(b), metres - 0.01)).isFalse();
    }

    @Test
    void shouldNeverSaySurelyFartherOfWhatIsNear() {
        SplittableRandom random = new SplittableRandom(4);
        int near = 0;
        for (int i = 0; i < 20_000; i++) {
            Geometry a = point(random.nextDouble(-180, 180), random.nextDouble(-90, 90));
            Coordinate at = a.getCoordinate();
            Geometry b = point(
                    (at.x + random.nextDouble(-1, 1) + 540) % 360 - 180,
                    Math.max(-90, Math.min(90, at.y + random.nextDouble(-1, 1))));
            double metres = random.nextDouble(1, 150_000);
            boolean expected = Metres.distance(a, b) <= metres;
            near += expected ? 1 : 0;
            assertThat(Metres.within(a, b, metres)).as("%s %s %s", a, b, metres).isEqualTo(expected);
        }
        assertThat(near).isBetween(4_000, 16_000);
    }

    private static Geometry point(double lon, double lat) {
        return GEOMETRY.createPoint(new Coordinate(lon, lat));
    }

    private static Geometry wkt(String text) throws ParseException {
        return new WKTReader().read(text);
    }
}
