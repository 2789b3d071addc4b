package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.ImportSummary;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.testkit.city.RealCity;
import io.hereabouts.testkit.postgis.TestPostgis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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

    private static final List<WorldModel> WORLDS = new ArrayList<>();
    private static TestPostgis.@Nullable Database database;

    @BeforeAll
    static void buildWorlds() throws Exception {
        Optional<Path> data = RealCity.data();
        assumeTrue(data.isPresent(), "real city data");
        long begin = System.nanoTime();
        List<PhysicalEntity> entities = new ArrayList<>();
        for (WorldFile file : WorldManifest.parse(RealCity.manifest(), data.get())) {
            ImportSummary.Counter counter = new ImportSummary.Counter();
            try (FeatureReader reader = file.open()) {
                Optional<Feature> next = reader.next();
                for (; next.isPresent(); next = reader.next()) {
                    counter.add(next.get());
                    if (next.get() instanceof Feature.Entity found) {
                        entities.add(found.entity());
                    } else if (next.get() instanceof Feature.Bad bad) {
                        System.out.println(file.name() + " " + bad);
                    }
                }
                System.out.printf(
                        Locale.ROOT,
                        "%s: %d entities, %d skipped, %d bad%n",
                        file.name(),
                        counter.summary().entities(),
                        counter.summary().skipped(),
                        counter.summary().bad());
            }
        }
        report("files read", entities.size(), begin);

        TestPostgis.Database shared = TestPostgis.shared().newDatabase();
        database = shared;
        WORLDS.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
        WORLDS.add(PostgisWorlds.open(shared, ResolutionLimits.DEFAULT));
        for (WorldModel world : WORLDS) {
            begin = System.nanoTime();
            world.apply(ChangeSet.upsert(entities));
            report(world.getClass().getSimpleName() + " applied", entities.size(), begin);
        }
    }

    private static void report(String what, int entities, long begin) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                Locale.ROOT, "%s: %d entities in %.3f s, %.0f/s%n", what, entities, seconds, entities / seconds);
    }

    @AfterAll
    static void closeWorlds() {
        WORLDS.forEach(WorldModel::close);
    }

    @Test
    void shouldFindDetectorsAtMainRoads() throws Exception {
        List<EntityId> expected = bySql(DETECTORS_AT_MAIN_ROADS);
        assertThat(expected).hasSize(20);
        shouldFind(expected, RealCity.DETECTORS_AT_MAIN_ROADS);
    }

    @Test
    void shouldFindDetectorsAroundNeukoelln() throws Exception {
        List<EntityId> expected = bySql(DETECTORS_AROUND_NEUKOELLN);
        assertThat(expected).hasSizeGreaterThan(80);
        shouldFind(expected, RealCity.DETECTORS_AROUND_NEUKOELLN);
    }

    private static void shouldFind(List<EntityId> expected, String json) throws Exception {
        NeighborhoodDescriptor descriptor = new DescriptorParser(DescriptorLimits.DEFAULT).parse(json);
        for (WorldModel world : WORLDS) {
            long[] nanos = new long[20];
            for (int i = 0; i < nanos.length; i++) {
                long begin = System.nanoTime();
                Resolution resolution = world.resolve(descriptor);
                nanos[i] = System.nanoTime() - begin;
                assertThat(resolution.selected()).isEqualTo(expected);
            }
            double first = nanos[0] / 1e6;
            Arrays.sort(nanos);
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d entities, first %.1f ms, median of %d %.2f ms%n",
                    world.getClass().getSimpleName(),
                    expected.size(),
                    first,
                    nanos.length,
                    nanos[nanos.length / 2] / 1e6);
        }
    }

    private static List<EntityId> bySql(String query) {
        return Objects.requireNonNull(database)
                .sql(query)
                .lines()
                .map(EntityId::of)
                .sorted()
                .toList();
    }
}
