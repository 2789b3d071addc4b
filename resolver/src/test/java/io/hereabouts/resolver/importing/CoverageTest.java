package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.osm.OsmPbfFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CoverageTest {

    private final Coverage coverage = new Coverage();

    @Test
    void shouldOwnWhatHasThePrefix() {
        WorldFile file = new GeoJsonFile(Path.of("a"), rules(IdRule.ofFeature().withPrefix("district/")));
        coverage.add(file, read("district/1", "zone"));
        coverage.add(file);

        assertThat(coverage.isMissing(entity("district/1", "zone"))).isFalse();
        assertThat(coverage.isMissing(entity("district/2", "other"))).isTrue();
        assertThat(coverage.isMissing(entity("districts/2", "zone"))).isFalse();
    }

    @Test
    void shouldOwnOpenStreetMapIds() {
        WorldFile file = new OsmPbfFile(Path.of("a"), rules(IdRule.ofFeature().withPrefix("osm/")));
        coverage.add(file);

        assertThat(coverage.isMissing(entity("osm/way/1", "k"))).isTrue();
        assertThat(coverage.isMissing(entity("osm/node/1", "k"))).isTrue();
        assertThat(coverage.isMissing(entity("osm/relation/1", "k"))).isTrue();
        assertThat(coverage.isMissing(entity("osm/street/1", "k"))).isFalse();
        assertThat(coverage.isMissing(entity("way/1", "k"))).isFalse();
        assertThat(new OsmPbfFile(Path.of("a"), rules(IdRule.ofProperty("ref"))).idPrefixes())
                .isEmpty();
    }

    @Test
    void shouldOwnTheCategoriesItGaveWhereThereIsNoPrefix() {
        WorldFile file = new GeoJsonFile(Path.of("a"), rules(IdRule.ofFeature()));
        coverage.add(file, read("d1", "detector"));
        coverage.add(file, read("d2", "detector", "camera"));
        coverage.add(file);

        assertThat(coverage.isMissing(entity("d2", "camera"))).isFalse();
        assertThat(coverage.isMissing(entity("d3", "camera"))).isTrue();
        assertThat(coverage.isMissing(entity("d4", "camera", "detector"))).isTrue();
        assertThat(coverage.isMissing(entity("d5", "camera", "pole"))).isFalse();
        assertThat(coverage.isMissing(entity("d6", "detector/loop"))).isFalse();
    }

    @Test
    void shouldOwnNothingOfAFileThatWasNotReadToItsEnd() {
        WorldFile file = new GeoJsonFile(Path.of("a"), rules(IdRule.ofFeature().withPrefix("p/")));
        coverage.add(file, read("p/1", "zone"));
        assertThat(coverage.isMissing(entity("p/2", "zone"))).isFalse();
    }

    @Test
    void shouldKeepWhatIsBadNow() {
        WorldFile file = new GeoJsonFile(Path.of("a"), rules(IdRule.ofFeature().withPrefix("p/")));
        coverage.add(file, new Feature.Bad("line 1", "p/1", false, "geometry is EMPTY"));
        coverage.add(file, new Feature.Skipped("line 2", "p/2", "no category"));
        coverage.add(file);

        assertThat(coverage.isMissing(entity("p/1", "zone"))).isFalse();
        assertThat(coverage.isMissing(entity("p/2", "zone"))).isTrue();
        assertThat(coverage.withoutId()).isZero();
        coverage.add(file, new Feature.Bad("line 3", null, false, "no id"));
        assertThat(coverage.withoutId()).isEqualTo(1);
    }

    private static ImportRules rules(IdRule ids) {
        return new ImportRules(ids, CategoryRule.constant(Category.of("k")), RepeatedIds.LAST_WINS);
    }

    private static Feature read(String id, String... categories) {
        return new Feature.Entity("line 1", entity(id, categories), null);
    }

    private static PhysicalEntity entity(String id, String... categories) {
        return new PhysicalEntity(
                EntityId.of(id),
                GeoJsonGeometry.point(1, 2),
                Arrays.stream(categories).map(Category::of).collect(Collectors.toCollection(TreeSet::new)));
    }
}
