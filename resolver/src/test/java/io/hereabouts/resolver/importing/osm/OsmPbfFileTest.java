package io.hereabouts.resolver.importing.osm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import crosby.binary.file.CompressFlags;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.ReadFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

final class OsmPbfFileTest {

    private static final ImportRules OSM =
            new ImportRules(IdRule.ofFeature(), CategoryRule.osmTags(), RepeatedIds.LAST_WINS);
    private static final String[] SQUARES = {
        // 1 to 4: a square of 10; 11 to 14: one of 2 inside it; 21 to 24: one of 2 beside that; 31 to 34: one of 1 in
        // 11 to 14
        "1 0 0",
        "2 10 0",
        "3 10 10",
        "4 0 10",
        "11 2 2",
        "12 4 2",
        "13 4 4",
        "14 2 4",
        "22 6 2",
        "23 6 4",
        "31 2.5 2.5",
        "32 3.5 2.5",
        "33 3.5 3.5",
        "34 2.5 3.5",
        "41 20 0",
        "42 30 0",
        "43 30 10",
        "44 20 10"
    };

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("town.osm.pbf");
    }

    @ParameterizedTest
    @EnumSource(CompressFlags.class)
    void shouldReadNodesWaysAndTheirTags(CompressFlags compression) throws Exception {
        try (TestPbf pbf = new TestPbf(file, compression, "OsmSchema-V0.6", "DenseNodes")) {
            pbf.denseNodes("7 13.3905033 52.506708 highway=crossing", "9 13.4 52.5", "-5 -0.0000001 -89.9 created_by=x")
                    .plainNode(8_123_456_789L, 13_448_794_850L, 52_500_000_049L, "public_transport=stop_position")
                    .ways("30 7,9,8123456789 highway=residential name=Straße");
        }
        assertThat(OsmPbfFile.isPbf(file)).isTrue();
        ReadFile read = read();
        assertThat(read.ids()).containsExactly("node/7", "node/8123456789", "way/30");
        assertThat(read.text("node/7")).isEqualTo("[traffic/crossing] POINT (13.3905033 52.506708)");
        assertThat(read.text("node/8123456789")).isEqualTo("[transit/stop_position] POINT (13.4487949 52.5)");
        assertThat(read.text("way/30"))
                .isEqualTo("[road/other/residential] LINESTRING (13.3905033 52.506708, 13.4 52.5, 13.4487949 52.5)");
        assertThat(read.skipped()).hasSize(1);
        assertThat(read.bad()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "highway=residential, LineString",
        "highway=residential landuse=grass, LineString",
        "highway=pedestrian area=yes, Polygon",
        "highway=services, Polygon",
        "landuse=grass, Polygon",
        "landuse=grass barrier=fence, Polygon",
        "landuse=grass area=no, LineString",
        "barrier=fence, LineString",
        "leisure=park, Polygon",
        "leisure=track, LineString",
        "natural=water, Polygon",
        "natural=cliff, LineString",
        "railway=rail, LineString",
        "railway=platform, Polygon",
        "amenity=parking, Polygon",
        "building=no amenity=bench, Polygon",
        "building=no aeroway=runway, LineString"
    })
    void shouldTellAClosedWayIsALineOrAnAreaByItsTags(String tags, String type) throws Exception {
        try (TestPbf pbf = TestPbf.create(file)) {
            pbf.denseNodes(SQUARES).ways("1 1,2,3,4,1 " + tags, "2 1,2,3 " + tags, "3 1,2,1 " + tags);
        }
        ReadFile read = read();
        assertThat(read.entity("way/1").geometry().getGeometryType()).isEqualTo(type);
        assertThat(read.entity("way/2").geometry().getGeometryType()).isEqualTo("LineString");
        assertThat(read.entity("way/3").geometry().getGeometryType()).isEqualTo("LineString");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // two ways make one ring, in whatever direction
                "outer:1,outer:2 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))",
                "outer:1,outer:3 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))",
                // a hole, an island in the hole; the roles do not decide
                "outer:1,outer:2,inner:4 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 4 2, 4 4, 2 4, 2 2))",
                "outer:1,inner:2,outer:4 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 4 2, 4 4, 2 4, 2 2))",
                "outer:1,outer:2,inner:4,outer:6 | MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 4 2, 4 4, 2 4, 2 2)), ((2.5 2.5, 3.5 2.5, 3.5 3.5, 2.5 3.5, 2.5 2.5)))",
                // two holes that share a side are one
                "outer:1,outer:2,inner:4,inner:5 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 4 2, 6 2, 6 4, 4 4, 2 4, 2 2))",
                // a hole that touches the shell in a point
                "outer:1,outer:2,inner:8 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (0 0, 4 2, 4 4, 0 0))",
                // two shells, apart, touching in a point
                "outer:1,outer:2,outer:7 | MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0)), ((20 0, 30 0, 30 10, 20 10, 20 0)))",
                "outer:1,outer:2,outer:9 | MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0)), ((10 10, 20 10, 30 10, 20 0, 10 10)))",
                // labels are no border
                "outer:1,outer:2,label:7,admin_centre:n1 | POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))",
            })
    void shouldAssembleRelations(String members, String wkt) throws Exception {
        try (TestPbf pbf = town()) {
            pbf.relations("100 " + members + " type=multipolygon landuse=forest");
        }
        ReadFile read = read();
        assertThat(read.bad()).isEmpty();
        PhysicalEntity forest = read.entity("relation/100");
        assertThat(forest.categories()).containsExactly(Category.of("landuse/forest"));
        assertThat(forest.geometry().isValid()).isTrue();
        assertThat(forest.geometry().equalsExact(geometry(wkt).norm()))
                .as("%s", forest.geometry())
                .isTrue();
        assertThat(forest.geometry().getGeometryType()).isEqualTo(geometry(wkt).getGeometryType());
    }

    @Test
    void shouldReportWhatIsIncompleteOrWrongAndReadTheRest() throws Exception {
        try (TestPbf pbf = town()) {
            pbf.ways("20 1,99,98,97,96 highway=service", "21 1 highway=service", "22 1,3,2,4,1 landuse=grass")
                    .relations(
                            "100 outer:1,outer:2 type=boundary boundary=administrative admin_level=9",
                            "101 outer:1,outer:777 type=multipolygon landuse=forest",
                            "102 outer:1,outer:10 type=multipolygon landuse=forest",
                            "103 outer:1 type=multipolygon landuse=forest",
                            "104 outer:1,outer:2,outer:11 type=multipolygon landuse=forest",
                            "105 outer:1 type=route route=bus",
                            "106 outer:1,outer:2 type=multipolygon name=x");
        }
        ReadFile read = read();
        assertThat(read.ids()).containsExactly("relation/100");
        assertThat(read.entity("relation/100").categories()).containsExactly(Category.of("boundary/administrative/9"));
        assertThat(read.problems())
                .hasSize(7)
                .startsWith(
                        "way/20: way misses 4 of 5 nodes: node/99, node/98, node/97, …",
                        "way/21: way has 1 nodes, expected at least two",
                        "way/22: Self-intersection at 5.0 5.0",
                        "relation/101: relation misses 1 of 2 member ways or nodes of them: way/777",
                        "relation/102: relation misses 1 of 2 member ways or nodes of them: way/10",
                        "relation/103: rings are not closed: 2 open ends, one at 0.0 0.0")
                .last()
                .asString()
                .startsWith("relation/104: Self-intersection at 10.0 ");
        assertThat(read.bad())
                .filteredOn(Feature.Bad::incomplete)
                .extracting(Feature.Bad::id)
                .containsExactly("way/20", "relation/101", "relation/102");
        assertThat(read.skipped()).extracting(Feature.Skipped::id).containsExactly("relation/105", "relation/106");
    }

    @Test
    void shouldReadAFileInAnyOrder() throws Exception {
        try (TestPbf pbf = TestPbf.create(file)) {
            pbf.relations("100 outer:1 type=multipolygon landuse=forest")
                    .ways("1 1,2,3,4,1", "2 1,2 highway=service")
                    .denseNodes(SQUARES);
        }
        assertThat(read().ids()).containsExactly("relation/100", "way/2");
    }

    @Test
    void shouldTellHowFarItIs() throws Exception {
        town().close();
        List<Double> progress = new ArrayList<>();
        try (FeatureReader reader = new OsmPbfFile(file, OSM).open((bytes, of) -> progress.add(bytes / (double) of))) {
            assertThat(reader.next()).isEmpty();
        }
        assertThat(progress).isSorted().endsWith(1.0);
    }

    @Test
    void shouldRefuseWhatItCannotRead() throws Exception {
        new TestPbf(file, CompressFlags.NONE, "OsmSchema-V0.6", "HistoricalInformation").close();
        assertUnreadable("town.osm.pbf, block 0 (byte 0): the file needs a reader that knows 'HistoricalInformation'");

        town().close();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertUnreadable("the file breaks off");
        whole[whole.length - 20] ^= 0x55;
        Files.write(file, whole);
        assertUnreadable("town.osm.pbf, block 2 (byte ");
        Files.writeString(file, "{}");
        assertUnreadable("breaks off");
        Files.writeString(file, "<osm version='0.6'></osm>");
        assertUnreadable("not PBF: a header of");
        assertThat(OsmPbfFile.isPbf(file)).isFalse();
        Files.delete(file);
        assertUnreadable("no such file");
        assertThat(OsmPbfFile.isPbf(file)).isFalse();
    }

    /** 1 and 2 (or 3) are a square; 4, 5, 6, 7: squares; 8 touches 1; 9 touches 2; 10 misses a node; 11 crosses 1. */
    private TestPbf town() throws IOException {
        return TestPbf.create(file)
                .denseNodes(SQUARES)
                .ways(
                        "1 1,2,3",
                        "2 3,4,1",
                        "3 1,4,3",
                        "4 11,12,13,14,11",
                        "5 12,22,23,13,12",
                        "6 31,32,33,34,31",
                        "7 41,42,43,44,41",
                        "8 1,12,13,1",
                        "9 3,44,43,41,3",
                        "10 3,55,1",
                        "11 13,44,41,13");
    }

    private ReadFile read() throws IOException {
        return ReadFile.of(new OsmPbfFile(file, OSM));
    }

    private void assertUnreadable(String problem) {
        assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining(problem);
    }

    private static Geometry geometry(String wkt) throws ParseException {
        return new WKTReader().read(wkt);
    }
}
