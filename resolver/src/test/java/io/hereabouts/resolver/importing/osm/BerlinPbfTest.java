package io.hereabouts.resolver.importing.osm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.GeoJsonFile;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.ReadFile;
import io.hereabouts.testkit.city.RealCity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Geometry;

/** A real file, compared with what osmium made of it. */
final class BerlinPbfTest {

    /** Degrees. */
    private static final double TOLERANCE = 1e-7;

    private static final ImportRules OSM =
            new ImportRules(IdRule.ofFeature(), CategoryRule.osmTags(), RepeatedIds.LAST_WINS);

    @Test
    void shouldReadWhatOsmiumReads() throws Exception {
        Optional<Path> data = RealCity.data();
        assumeTrue(data.isPresent(), "real city data");
        Path folder = data.get().resolve("world");
        ReadFile ours = ReadFile.of(new OsmPbfFile(folder.resolve("berlin-inner.osm.pbf"), OSM));
        ReadFile osmium = ReadFile.of(new GeoJsonFile(folder.resolve("berlin-inner.geojson.gz"), OSM));

        Map<String, PhysicalEntity> expected = new TreeMap<>();
        // the letter a sorts first: of a closed way that osmium gives as a line and as an area the area counts
        osmium.entities().forEach((id, entity) -> expected.putIfAbsent(name(id), entity));
        assertThat(expected).hasSize(6665);
        expected.forEach((id, entity) -> {
            assertThat(ours.entity(id).categories()).as(id).isEqualTo(entity.categories());
            assertThat(ours.entity(id)
                            .geometry()
                            .norm()
                            .equalsExact(single(entity.geometry()).norm(), TOLERANCE))
                    .as("%s %s %s", id, ours.entity(id).geometry(), entity.geometry())
                    .isTrue();
        });
        // osmium's file is an excerpt, but these are whole in it
        for (String whole : List.of("road", "path", "parking")) {
            assertThat(idsOf(whole, ours.entities())).isEqualTo(idsOf(whole, expected));
        }
        assertThat(ours.summary().byCategory())
                .containsEntry("road/other/residential", 328L)
                .containsEntry("road/minor/secondary", 170L)
                .containsEntry("road/major/primary", 76L)
                .containsEntry("road/minor/tertiary", 72L)
                .containsEntry("traffic/traffic_signals", 238L)
                .containsEntry("traffic/crossing", 367L);
        // relations reach out of the patches that the file is made of
        assertThat(ours.bad())
                .hasSize(38)
                .allMatch(bad -> bad.incomplete() && String.valueOf(bad.id()).startsWith("relation/"));
    }

    private static Set<String> idsOf(String category, Map<String, PhysicalEntity> entities) {
        Category wanted = Category.of(category);
        return entities.entrySet().stream()
                .filter(e -> e.getValue().isA(wanted))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Geometry single(Geometry geometry) {
        return geometry.getNumGeometries() == 1 ? geometry.getGeometryN(0) : geometry;
    }

    /** {@code w1} is way 1, {@code n1} node 1, {@code a2} the area of way 1, {@code a3} that of relation 1. */
    private static String name(String typeId) {
        long number = Long.parseLong(typeId.substring(1));
        return switch (typeId.charAt(0)) {
            case 'n' -> "node/" + number;
            case 'w' -> "way/" + number;
            default -> (number % 2 == 0 ? "way/" : "relation/") + number / 2;
        };
    }
}
