package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.exporting.NeighborhoodPicture;
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
import io.hereabouts.testkit.postgis.TestPostgis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The files of a manifest in both worlds, and what SQL says about them. Prints how many and how fast. Not thread-safe. */
final class RealWorlds implements AutoCloseable {

    private static final int RUNS = 20;
    /** Nanoseconds after which there are no further runs. */
    private static final long ENOUGH = 1_000_000_000L;

    private final TestPostgis.Database database = TestPostgis.shared().newDatabase();
    private final List<WorldModel> worlds = new ArrayList<>();
    private final Map<EntityId, PhysicalEntity> entities;

    private RealWorlds(List<PhysicalEntity> read) throws Exception {
        this.entities = read.stream().collect(Collectors.toMap(PhysicalEntity::id, Function.identity(), (a, b) -> b));
        worlds.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
        worlds.add(PostgisWorlds.open(database, ResolutionLimits.DEFAULT));
        for (WorldModel world : worlds) {
            long begin = System.nanoTime();
            world.apply(ChangeSet.upsert(read));
            report(world.getClass().getSimpleName() + " applied", read.size(), begin);
        }
    }

    /** @param folder what the files of the manifest are relative to */
    static RealWorlds of(String manifest, Path folder) throws Exception {
        long begin = System.nanoTime();
        List<PhysicalEntity> read = new ArrayList<>();
        for (WorldFile file : WorldManifest.parse(manifest, folder)) {
            read(file, read);
        }
        report("files read", read.size(), begin);
        return new RealWorlds(read);
    }

    private static void read(WorldFile file, List<PhysicalEntity> entities) throws IOException {
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
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d entities, %d skipped, %d bad%n",
                file.name(),
                counter.summary().entities(),
                counter.summary().skipped(),
                counter.summary().bad());
    }

    private static void report(String what, int entities, long begin) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                Locale.ROOT, "%s: %d entities in %.3f s, %.0f/s%n", what, entities, seconds, entities / seconds);
    }

    /** The first column of what PostGIS answers, sorted. */
    List<EntityId> bySql(String query) {
        return database.sql(query).lines().map(EntityId::of).sorted().toList();
    }

    /** How many entities have a category that a selected stage of the descriptor asks for. */
    long candidates(NeighborhoodDescriptor descriptor) {
        return entities.values().stream()
                .filter(entity -> descriptor.select().stream()
                        .flatMap(i -> descriptor.stages().get(i).categories().stream())
                        .anyMatch(entity::isA))
                .count();
    }

    /** Fails unless both worlds give these entities. */
    void shouldFind(List<EntityId> expected, NeighborhoodDescriptor descriptor) throws Exception {
        for (WorldModel world : worlds) {
            List<Long> nanos = new ArrayList<>();
            long start = System.nanoTime();
            while (nanos.isEmpty() || (nanos.size() < RUNS && System.nanoTime() - start < ENOUGH)) {
                long begin = System.nanoTime();
                Resolution resolution = world.resolve(descriptor);
                nanos.add(System.nanoTime() - begin);
                assertThat(resolution.selected()).isEqualTo(expected);
            }
            double first = nanos.get(0) / 1e6;
            nanos.sort(null);
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d entities, first %.1f ms, median of %d %.2f ms%n",
                    world.getClass().getSimpleName(),
                    expected.size(),
                    first,
                    nanos.size(),
                    nanos.get(nanos.size() / 2) / 1e6);
        }
    }

    /** Fails unless both worlds give the same picture. */
    void shouldDrawTheSame(NeighborhoodDescriptor descriptor) throws Exception {
        List<String> pictures = new ArrayList<>();
        for (WorldModel world : worlds) {
            Resolution resolution = world.resolve(descriptor);
            long begin = System.nanoTime();
            String picture = NeighborhoodPicture.svg(descriptor, resolution, world);
            System.out.printf(
                    Locale.ROOT,
                    "%s: picture of %d characters in %.0f ms%n",
                    world.getClass().getSimpleName(),
                    picture.length(),
                    (System.nanoTime() - begin) / 1e6);
            pictures.add(picture);
        }
        assertThat(pictures.get(1)).isEqualTo(pictures.get(0));
    }

    static NeighborhoodDescriptor parse(String json) throws Exception {
        return new DescriptorParser(DescriptorLimits.DEFAULT).parse(json);
    }

    @Override
    public void close() {
        worlds.forEach(WorldModel::close);
    }
}
