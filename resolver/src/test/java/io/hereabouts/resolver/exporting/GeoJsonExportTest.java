package io.hereabouts.resolver.exporting;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.ReadFile;
import io.hereabouts.resolver.importing.manifest.FileFormats;
import io.hereabouts.resolver.world.WorldStatistics;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

final class GeoJsonExportTest {

    private static final ImportRules AGAIN =
            new ImportRules(IdRule.ofFeature(), CategoryRule.ofProperty("categories", ""), RepeatedIds.REFUSE);
    private static final List<PhysicalEntity> ENTITIES = List.of(
            entity("a\"\\ß\uD83D\uDEB2", "POINT (13.44879485 -1e-7)", "k/l", "m"),
            entity("b", "LINESTRING (0.1 0.2, 0.30000000000000004 -89.99999999999999)", "k"),
            entity("c", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 1 1))", "k"),
            entity("d", "MULTIPOINT ((1 2), (3 4))", "k"),
            entity("e", "MULTILINESTRING ((1 2, 3 4))", "k"),
            entity("f", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((2 2, 3 2, 3 3, 2 2)))", "k"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(GeoJsonExport.Form.class)
    void shouldBeImportedAsItWas(GeoJsonExport.Form form) throws Exception {
        String text = export(form, ENTITIES);
        assertThat(text.lines().filter(line -> line.contains("\"Feature\""))).hasSize(ENTITIES.size());
        Path file = Files.writeString(folder.resolve("world.geojson"), text);
        ReadFile again = ReadFile.of(FileFormats.of(file, null, AGAIN));
        assertThat(again.bad()).isEmpty();
        assertThat(again.ids()).hasSameSizeAs(ENTITIES);
        for (PhysicalEntity entity : ENTITIES) {
            PhysicalEntity read = again.entity(entity.id().value());
            assertThat(read.categories()).isEqualTo(entity.categories());
            assertThat(read.geometry().getGeometryType())
                    .isEqualTo(entity.geometry().getGeometryType());
            assertThat(read.geometry().equalsExact(entity.geometry()))
                    .as("%s", read.geometry())
                    .isTrue();
        }
    }

    @Test
    void shouldWriteCollectionsOfMixedTypesAndNothingAtAll() throws Exception {
        assertThat(export(
                        GeoJsonExport.Form.SEQUENCE,
                        List.of(entity("g", "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))", "k"))))
                .contains(
                        "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1.0,2.0]},");
        assertThat(export(GeoJsonExport.Form.COLLECTION, List.of()))
                .isEqualTo("{\"type\":\"FeatureCollection\",\"features\":[\n]}\n");
        assertThat(export(GeoJsonExport.Form.SEQUENCE, List.of())).isEmpty();
    }

    @Test
    void shouldCountWhatIsThere() {
        WorldStatistics.Counter counter = new WorldStatistics.Counter();
        assertThat(counter.statistics().boundingBox()).isEmpty();
        ENTITIES.forEach(counter::add);
        WorldStatistics statistics = counter.statistics();
        assertThat(statistics.entities()).isEqualTo(6);
        assertThat(statistics.vertices()).isEqualTo(1 + 2 + 9 + 2 + 2 + 8);
        assertThat(statistics.byCategory()).isEqualTo(Map.of("k", 5L, "k/l", 1L, "m", 1L));
        assertThat(statistics.byGeometryType()).containsEntry("Point", 1L).hasSize(6);
        assertThat(statistics.boundingBox()).containsExactly(0.0, -89.99999999999999, 13.44879485, 4.0);
    }

    private static String export(GeoJsonExport.Form form, List<PhysicalEntity> entities) throws Exception {
        StringWriter text = new StringWriter();
        try (GeoJsonExport export = new GeoJsonExport(text, form)) {
            for (PhysicalEntity entity : entities) {
                export.write(entity);
            }
        }
        return text.toString();
    }

    private static PhysicalEntity entity(String id, String wkt, String... categories) {
        try {
            return new PhysicalEntity(
                    EntityId.of(id),
                    new WKTReader().read(wkt),
                    Arrays.stream(categories).map(Category::of).collect(Collectors.toCollection(TreeSet::new)));
        } catch (ParseException e) {
            throw new IllegalArgumentException(wkt, e);
        }
    }
}
