package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.testkit.city.RealCity;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Neighborhoods of a real city: both worlds give what SQL written by hand gives, straight from PostGIS. */
final class RealCityIT {

    private static final String DETECTORS_AT_MAIN_ROADS =
            """
            SELECT DISTINCT d.id
            FROM hereabouts.entity d, hereabouts.entity s, hereabouts.entity z
            WHERE z.id IN ('district/08', 'district/01', 'district/02')
              AND ('road/major/primary' = ANY (s.categories) OR 'road/minor/secondary' = ANY (s.categories))
              AND ST_Intersects(s.geom, z.geom)
              AND 'detector' = ANY (d.categories)
              AND ST_DWithin(d.geom::geography, s.geom::geography, 100)
            """;
    private static final String DETECTORS_AROUND_NEUKOELLN =
            """
            SELECT DISTINCT d.id
            FROM hereabouts.entity d, hereabouts.entity z, hereabouts.entity n
            WHERE n.id = 'district/08'
              AND 'zone/district' = ANY (z.categories) AND z.id <> n.id
              AND ST_Touches(z.geom, n.geom)
              AND 'detector' = ANY (d.categories)
              AND ST_CoveredBy(d.geom, z.geom)
            """;

    private static @Nullable RealWorlds worlds;

    @BeforeAll
    static void buildWorlds() throws Exception {
        Optional<Path> data = RealCity.data();
        assumeTrue(data.isPresent(), "real city data");
        worlds = RealWorlds.of(RealCity.manifest(), data.get());
    }

    @AfterAll
    static void closeWorlds() {
        if (worlds != null) {
            worlds.close();
        }
    }

    @Test
    void shouldFindDetectorsAtMainRoads() throws Exception {
        List<EntityId> expected = worlds().bySql(DETECTORS_AT_MAIN_ROADS);
        assertThat(expected).hasSize(20);
        worlds().shouldFind(expected, RealWorlds.parse(RealCity.DETECTORS_AT_MAIN_ROADS));
    }

    @Test
    void shouldFindDetectorsAroundNeukoelln() throws Exception {
        List<EntityId> expected = worlds().bySql(DETECTORS_AROUND_NEUKOELLN);
        assertThat(expected).hasSizeGreaterThan(80);
        worlds().shouldFind(expected, RealWorlds.parse(RealCity.DETECTORS_AROUND_NEUKOELLN));
    }

    private static RealWorlds worlds() {
        return Objects.requireNonNull(worlds);
    }
}
