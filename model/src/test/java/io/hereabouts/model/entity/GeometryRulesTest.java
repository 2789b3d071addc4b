package io.hereabouts.model.entity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

class GeometryRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POINT (13.4 52.5)",
                "POINT (-180 90)",
                "POINT Z (13.4 52.5 34)",
                "LINESTRING (0 0, 1 1)",
                "LINESTRING (0 0, 1 1, 0 1, 1 0)",
                "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 1 1))",
                "MULTIPOINT ((0 0), (1 1))",
                "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
                "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((2 2, 3 2, 3 3, 2 2)))",
                "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (0 0, 1 1))",
            })
    void shouldLetInWhatIsSound(String wkt) {
        assertThat(GeometryRules.problem(geometry(wkt))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POINT EMPTY|EMPTY",
                "GEOMETRYCOLLECTION EMPTY|EMPTY",
                "MULTIPOLYGON EMPTY|EMPTY",
                "MULTIPOINT ((0 0), EMPTY)|EMPTY part",
                "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING EMPTY)|EMPTY part",
                "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION EMPTY, POINT (0 0))|EMPTY part",
                "POINT (181 0)|181.0 0.0 is outside lon",
                "POINT (0 -90.5)|0.0 -90.5 is outside lon",
                "LINESTRING (0 0, 200 0)|200.0 0.0 is outside",
                "LINESTRING (5 6, 5 6)|5.0 6.0",
                "MULTILINESTRING ((0 0, 1 1), (2 3, 2 3))|2.0 3.0",
                "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (LINESTRING (2 3, 2 3)))|2.0 3.0",
                "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))|Self-intersection at 1.0 1.0",
                "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (5 5, 6 5, 6 6, 5 5))|5.0 5.0",
            })
    void shouldSayWhatIsWrongAndWhere(String wkt, String problem) {
        assertThat(GeometryRules.problem(geometry(wkt)).orElseThrow()).contains(problem);
    }

    @Test
    void shouldRefuseCoordinatesThatAreNotFinite() {
        GeometryFactory factory = new GeometryFactory();
        assertThat(GeometryRules.problem(factory.createPoint(new Coordinate(Double.NaN, 1))))
                .isPresent();
        assertThat(GeometryRules.problem(factory.createLineString(
                        new Coordinate[] {new Coordinate(0, 0), new Coordinate(Double.POSITIVE_INFINITY, 1)})))
                .hasValueSatisfying(problem -> assertThat(problem).contains("Infinity 1.0 is not finite"));
    }

    private static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException(wkt, e);
        }
    }
}
