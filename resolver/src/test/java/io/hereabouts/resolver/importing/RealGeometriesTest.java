package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.testkit.city.RealCity;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.Polygon;

/** Large areas as somebody published them. */
final class RealGeometriesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadAnAreaWithAThousandHoles() throws Exception {
        ReadFile read = read("neukoelln-lane_area-1000holes.geojson.gz", false);
        assertThat(read.summary().entities()).isEqualTo(1);
        assertThat(holes(read.entity("area").geometry())).isEqualTo(1000);
        assertThat(read.summary().repaired()).isZero();
    }

    @Test
    void shouldRefuseOrRepairAnAreaThatIsInvalid() throws Exception {
        ReadFile refused = read("neukoelln-traffic_area-INVALID.geojson.gz", false);
        assertThat(refused.problems())
                .singleElement()
                .asString()
                .startsWith("area: Self-intersection at 13.42936841")
                .contains(" 52.48622592");
        assertThat(refused.bad().get(0).position()).startsWith("feature 1 (line 6");

        ReadFile repaired = read("neukoelln-traffic_area-INVALID.geojson.gz", true);
        assertThat(repaired.bad()).isEmpty();
        assertThat(repaired.summary().repaired()).isEqualTo(1);
        Geometry area = repaired.entity("area").geometry();
        assertThat(GeometryRules.problem(area)).isEmpty();
        assertThat(holes(area)).isBetween(240, 250);
    }

    private static int holes(Geometry geometry) {
        int holes = 0;
        for (int i = 0; i < geometry.getNumGeometries(); i++) {
            holes += ((Polygon) geometry.getGeometryN(i)).getNumInteriorRing();
        }
        return holes;
    }

    /** The files have no ids, so it is given one. */
    private ReadFile read(String name, boolean repair) throws Exception {
        Optional<Path> data = RealCity.data();
        assumeTrue(data.isPresent(), "real city data");
        Path file = folder.resolve("area.geojson");
        try (InputStream in = new GZIPInputStream(
                Files.newInputStream(data.get().resolve("geometries").resolve(name)))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(file, text.replace("\"properties\": { }", "\"id\": \"area\""));
        }
        ImportRules rules = new ImportRules(
                IdRule.ofFeature(), CategoryRule.constant(Category.of("k")), RepeatedIds.LAST_WINS, repair);
        return ReadFile.of(new GeoJsonFile(file, rules));
    }
}
