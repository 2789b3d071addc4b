package io.hereabouts.testkit.city;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeededCityTest {

    private final SeededCity city = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);

    @Test
    void shouldBeTheSameForTheSameSeedAndDifferForAnother() {
        SeededCity again = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
        SeededCity other = SeededCity.generate(SeededCity.DEFAULT_SEED + 1, SeededCity.DEFAULT_SIZE);

        assertThat(texts(again)).isEqualTo(texts(city));
        assertThat(texts(other)).isNotEqualTo(texts(city));
    }

    /** What other machines and later versions must find too: figures and one coordinate written down once. */
    @Test
    void shouldNotChangeFromReleaseToRelease() {
        assertThat(of("zone")).hasSize(36);
        assertThat(of("parking")).hasSize(72);
        assertThat(of("detector")).hasSize(108);
        assertThat(texts(city).get(0))
                .isEqualTo(
                        "zone/1 [zone/district] POLYGON ((13.35 52.45, 13.362 52.45, 13.361596 52.457792, 13.35 52.4575, 13.35 52.45))");
        assertThat(texts(city).get(texts(city).size() - 1))
                .isEqualTo("detector/108 [detector] POINT (13.36724 52.490459)");
    }

    @ParameterizedTest
    @CsvSource({"1,3", "17,6", "2,7", "3,20", "4,33"})
    void shouldHaveUniqueIdsAndOnlyGeometryThatIsLetIn(long seed, int size) {
        SeededCity any = SeededCity.generate(seed, size);
        Set<String> ids = new HashSet<>();
        for (PhysicalEntity entity : any.entities()) {
            assertThat(ids.add(entity.id().value())).as(entity.id().value()).isTrue();
            assertThat(GeometryRules.problem(entity.geometry()))
                    .as(entity.id().value())
                    .isEmpty();
        }
        assertThat(ids).contains(any.centralZone());
    }

    @Test
    void shouldHaveRoadsOfEachClassAndCrossingMostZones() {
        for (String category : List.of(
                "road/major/motorway", "road/major/primary", "road/minor/secondary", "road/other/residential")) {
            assertThat(of(category)).as(category).isNotEmpty();
        }
        List<PhysicalEntity> roads = of("road");
        assertThat(of("zone"))
                .filteredOn(zone -> roads.stream().anyMatch(r -> r.geometry().crosses(zone.geometry())))
                .hasSizeGreaterThan(30);
    }

    @Test
    void shouldHaveNeighboringZonesThatTouchAndNeverOverlap() {
        List<PhysicalEntity> zones = of("zone");
        int touching = 0;
        for (PhysicalEntity a : zones) {
            for (PhysicalEntity b : zones) {
                assertThat(a.geometry().overlaps(b.geometry())).isFalse();
                touching += a.geometry().touches(b.geometry()) ? 1 : 0;
            }
        }
        // 2·6·5 sides and 2·5·5 corners, each seen from both zones
        assertThat(touching).isEqualTo(2 * (60 + 50));
    }

    @Test
    void shouldRefuseSizesThatAreNoCity() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SeededCity.generate(1, 2))
                .withMessageContaining("3 to 200");
        assertThatIllegalArgumentException().isThrownBy(() -> SeededCity.generate(1, 201));
    }

    private List<PhysicalEntity> of(String category) {
        Category wanted = Category.of(category);
        return city.entities().stream().filter(e -> e.isA(wanted)).toList();
    }

    private static List<String> texts(SeededCity city) {
        return city.entities().stream()
                .map(e -> e.id() + " " + e.categories() + " " + e.geometry().toText())
                .toList();
    }
}
