package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.testkit.city.RealCity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Questions that people have about Berlin, each as a descriptor ({@code berlin/*.json}) and as SQL that a person wrote
 * who never saw the product's own ({@code berlin/*.sql}): both worlds answer what the SQL answers.
 */
final class RealDescriptorsIT {

    private static @Nullable RealWorlds worlds;

    @BeforeAll
    static void buildWorlds() throws Exception {
        Optional<Path> data = RealCity.data();
        assumeTrue(data.isPresent(), "real city data");
        worlds = RealWorlds.of(resource("world.json"), data.get());
    }

    @AfterAll
    static void closeWorlds() {
        if (worlds != null) {
            worlds.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "areas-covered-by-their-district, 197",
        "areas-where-nobody-counts, 430",
        "areas-with-a-common-border, 6",
        "bicycle-parking-at-the-underground, 46",
        "bus-stops-between-two-stations, 18",
        "detectors-at-streets, 18",
        "detectors-on-the-way-to-the-neighbours, 21",
        "greens-that-a-border-divides, 30",
        "kerbs-in-areas-that-the-motorway-crosses, 672",
        "parking-in-side-streets, 35",
        "stops-along-a-procession, 11",
        "stops-around-a-closed-square, 72",
        "streets-in-and-out-of-oranienplatz, 56",
        "streets-that-end-inside, 69",
        "zones-of-two-stations-and-their-detectors, 19",
    })
    void shouldAnswerWhatSqlAnswers(String question, int entities) throws Exception {
        RealWorlds berlin = Objects.requireNonNull(worlds);
        NeighborhoodDescriptor descriptor = RealWorlds.parse(resource(question + ".json"));
        long begin = System.nanoTime();
        List<EntityId> expected = berlin.bySql(resource(question + ".sql"));
        long candidates = berlin.candidates(descriptor);
        System.out.printf(
                "%s: SQL finds %d of %d candidates in %d ms, psql included%n",
                question, expected.size(), candidates, (System.nanoTime() - begin) / 1_000_000);

        assertThat(expected).hasSize(entities);
        assertThat((long) expected.size()).isPositive().isLessThan(candidates);
        berlin.shouldFind(expected, descriptor);
        berlin.shouldDrawTheSame(descriptor);
    }

    /** What docs/neighborhoods.md says of digitised data. */
    @Test
    void shouldHaveBordersThatDoNotMatch() throws Exception {
        RealWorlds berlin = Objects.requireNonNull(worlds);
        assertThat(
                        berlin.bySql(
                                """
                        SELECT count(*) || ' areas, ' || count(*) FILTER (WHERE EXISTS (
                          SELECT 1 FROM hereabouts.entity district
                          WHERE 'zone/district' = ANY (district.categories)
                            AND ST_Area(ST_Intersection(area.geom, district.geom)) > 0.99 * ST_Area(area.geom)))
                        FROM hereabouts.entity area
                        WHERE 'zone/planning' = ANY (area.categories)
                        """))
                .containsExactly(EntityId.of("447 areas, 447"));
        assertThat(
                        berlin.bySql(
                                """
                        SELECT count(*) || ' pairs, ' || count(*) FILTER (WHERE ST_Touches(a.geom, b.geom))
                        FROM hereabouts.entity a, hereabouts.entity b
                        WHERE 'zone/planning' = ANY (a.categories) AND 'zone/planning' = ANY (b.categories) AND a.id < b.id
                          AND a.geom && ST_Expand(b.geom, 0.0001)
                          AND ST_DWithin(a.geom::geography, b.geom::geography, 2)
                        """))
                .containsExactly(EntityId.of("1321 pairs, 1319"));
        assertThat(
                        berlin.bySql(
                                """
                        SELECT DISTINCT detector.id
                        FROM hereabouts.entity detector JOIN hereabouts.entity street
                          ON ST_Intersects(street.geom, detector.geom)
                        WHERE 'detector' = ANY (detector.categories)
                          AND EXISTS (SELECT 1 FROM unnest(street.categories) c WHERE c LIKE 'road/%')
                        """))
                .isEmpty();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = RealDescriptorsIT.class.getResourceAsStream("berlin/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
