package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.GeometryRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

final class AdmittedGeometryTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POINT (-180 90)",
                "LINESTRING (-180 0, 180 0)",
                "LINESTRING (-90 0, 90 0)",
                "POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))",
                "POLYGON ((-180 -60, 0 -70, 180 -60, 180 -90, -180 -90, -180 -60))",
                "MULTIPOLYGON (((170 0, 180 0, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 0)))",
                "MULTIPOINT ((-179 0), (179 0))"
            })
    void shouldLeaveWhatIsCutOrGoesNowhereNearAsItIs(String wkt) {
        AdmittedGeometry admitted = AdmittedGeometry.of(geometry(wkt), false);
        assertThat(admitted.geometry().equalsExact(geometry(wkt))).isTrue();
        assertThat(admitted.repaired()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // on beyond 180, to either side
                "LINESTRING (170 0, 190 10) | MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10))",
                "LINESTRING (-170 0, -190 10) | MULTILINESTRING ((-170 0, -180 5), (180 5, 170 10))",
                "POLYGON ((170 0, 190 0, 190 10, 170 10, 170 0)) | MULTIPOLYGON (((170 0, 180 0, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 0)))",
                "POLYGON ((190 0, 200 0, 200 10, 190 10, 190 0)) | POLYGON ((-170 0, -160 0, -160 10, -170 10, -170 0))",
                // a coordinate beyond 180 says that all are meant as they are
                "LINESTRING (-20 0, 175 0, 185 0) | MULTILINESTRING ((-20 0, 175 0, 180 0), (-180 0, -175 0))",
                "POLYGON ((-20 0, 185 0, 185 10, -20 10, -20 0)) | MULTIPOLYGON (((-20 0, 180 0, 180 10, -20 10, -20 0)), ((-180 0, -175 0, -175 10, -180 10, -180 0)))",
                // jumps
                "LINESTRING (170 0, -170 10) | MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10))",
                "LINESTRING (170 0, -170 10, 170 20) | MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10, -180 15), (180 15, 170 20))",
                "POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0)) | MULTIPOLYGON (((170 0, 180 0, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 0)))",
                "POLYGON ((-170 0, -170 10, 170 10, 170 0, -170 0)) | MULTIPOLYGON (((170 0, 180 0, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 0)))",
                // a hole over the antimeridian, and one that lies on the other side than where the shell begins
                "POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0), (179 4, -179 4, -179 6, 179 6, 179 4)) | MULTIPOLYGON (((170 0, 180 0, 180 4, 179 4, 179 6, 180 6, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 6, -179 6, -179 4, -180 4, -180 0)))",
                "POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0), (-176 4, -175 4, -175 6, -176 6, -176 4)) | MULTIPOLYGON (((170 0, 180 0, 180 10, 170 10, 170 0)), ((-180 0, -170 0, -170 10, -180 10, -180 0), (-176 4, -175 4, -175 6, -176 6, -176 4)))",
                // parts are looked at one by one; a touching corner leaves nothing on the other side
                "MULTILINESTRING ((0 0, 1 1), (179 0, -179 0)) | MULTILINESTRING ((0 0, 1 1), (179 0, 180 0), (-180 0, -179 0))",
                "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((170 20, 190 20, 190 30, 170 20))) | MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((170 20, 180 20, 180 25, 170 20)), ((-180 20, -170 20, -170 30, -180 25, -180 20)))",
                "POLYGON ((200 0, 180 5, 200 10, 200 0)) | POLYGON ((-160 0, -180 5, -160 10, -160 0))"
            })
    void shouldCutAtTheAntimeridian(String uncut, String cut) {
        Geometry admitted = AdmittedGeometry.of(geometry(uncut), false).geometry();
        assertThat(admitted.equalsTopo(geometry(cut))).as("%s", admitted).isTrue();
        assertThat(admitted.getGeometryType()).isEqualTo(geometry(cut).getGeometryType());
        assertThat(GeometryRules.problem(admitted)).isEmpty();
    }

    @Test
    void shouldStayWithinTheWorldWhateverTheRounding() {
        for (int i = 1; i < 500; i++) {
            String wkt =
                    "LINESTRING (" + (180 - i / 7.0) + " " + i / 11.0 + ", " + (180 + i / 13.0) + " " + i / 17.0 + ")";
            AdmittedGeometry admitted = AdmittedGeometry.of(geometry(wkt), false);
            assertThat(admitted.geometry().getNumGeometries()).as(wkt).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POINT (181 1) | coordinate 181.0 1.0 is outside",
                "POINT EMPTY | geometry is EMPTY",
                "GEOMETRYCOLLECTION EMPTY | geometry is EMPTY",
                "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (0 0, 1 1)) | geometry is a GEOMETRYCOLLECTION of 2 parts",
                "LINESTRING (390000 5820000, 390001 5820001) | is outside",
                "LINESTRING (170 0, 190 95) | -170.0 95.0 is outside",
                "POLYGON ((0 60, 120 60, -120 60, 0 60)) | ring goes round a pole",
                "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0)) | Self-intersection at 1.0 1.0",
                "POLYGON ((179 0, 181 2, 181 0, 179 2, 179 0)) | Self-intersection at 180.0 1.0",
                "POLYGON ((179 0, -179 2, -179 0, 179 2, 179 0)) | Self-intersection at 180.0 1.0",
            })
    void shouldRefuse(String wkt, String reason) {
        assertThatThrownBy(() -> AdmittedGeometry.of(geometry(wkt), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0)) | MULTIPOLYGON (((0 0, 1 1, 0 2, 0 0)), ((2 0, 2 2, 1 1, 2 0)))",
                "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (5 5, 6 5, 6 6, 5 5)) | MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
                "POLYGON ((179 0, 181 2, 181 0, 179 2, 179 0)) | MULTIPOLYGON (((179 0, 180 1, 179 2, 179 0)), ((-179 0, -179 2, -180 1, -179 0)))",
            })
    void shouldRepair(String wkt, String repaired) {
        AdmittedGeometry admitted = AdmittedGeometry.of(geometry(wkt), true);
        assertThat(admitted.geometry().equalsTopo(geometry(repaired)))
                .as("%s", admitted.geometry())
                .isTrue();
        assertThat(admitted.repaired()).contains(" at ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LINESTRING (5 6, 5 6) | it cannot be repaired: nothing would be left of it",
                "POLYGON ((0 0, 1 1, 2 2, 0 0)) | it cannot be repaired",
                "POLYGON ((0 0, 2 92, 2 0, 0 2, 0 0)) | 2.0 92.0 is outside",
                "POINT EMPTY | geometry is EMPTY",
                "MULTIPOINT ((0 0), EMPTY) | geometry has an EMPTY part"
            })
    void shouldRefuseWhatCannotBeRepaired(String wkt, String reason) {
        assertThatThrownBy(() -> AdmittedGeometry.of(geometry(wkt), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POINT Z (1 2 3)", "POINT M (1 2 3)", "LINESTRING ZM (1 2 3 4, 5 6 7 8)"})
    void shouldIgnoreHeightsAndMeasures(String wkt) {
        Geometry admitted = AdmittedGeometry.of(geometry(wkt), false).geometry();
        assertThat(admitted.getCoordinates()).allMatch(c -> Double.isNaN(c.getZ()) && Double.isNaN(c.getM()));
        assertThat(admitted.getCoordinate().x).isEqualTo(1);
    }

    private static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException(wkt, e);
        }
    }
}
