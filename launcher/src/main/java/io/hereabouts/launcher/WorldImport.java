package io.hereabouts.launcher;

import io.hereabouts.model.entity.Category;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads files of entities into a world; what is wrong is reported and counted, the rest goes on. */
public final class WorldImport {

    /** Told how it goes, on the thread that imports. */
    public interface Progress {
        /** So many bytes of a file were read. */
        void read(String file, long bytes, long of);

        /** A feature is wrong and was left out. */
        void bad(String file, String position, String reason);
    }

    /**
     * What an import did.
     *
     * @param entities written
     * @param bad features that were wrong
     * @param skipped features that the rules leave out
     * @param byCategory entities of each category
     */
    public record Summary(long entities, long bad, long skipped, Map<String, Long> byCategory) {
        @Override
        public String toString() {
            return byCategory.entrySet().stream()
                            .map(e -> String.format("%9d  %s%n", e.getValue(), e.getKey()))
                            .collect(Collectors.joining())
                    + entities + " entities imported, " + bad + " features refused, " + skipped + " left out";
        }
    }

    private static final long STEP = 1_000;

    private WorldImport() {}

    /**
     * Imports the files one after the other.
     *
     * @throws IOException if a file cannot be read to its end; what was read before is imported
     */
    public static Summary run(List<WorldFile> files, WorldTarget target, Progress progress)
            throws IOException, WorldUnavailableException {
        Map<String, Long> byCategory = new TreeMap<>();
        long entities = 0;
        long bad = 0;
        long skipped = 0;
        for (WorldFile file : files) {
            String name = String.valueOf(file.file().getFileName());
            try (FeatureReader reader = file.open()) {
                long count = 0;
                for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                    Feature feature = next.get();
                    if (feature instanceof Feature.Entity read) {
                        target.upsert(read.entity());
                        for (Category category : read.entity().categories()) {
                            byCategory.merge(category.path(), 1L, Long::sum);
                        }
                    } else if (feature instanceof Feature.Bad wrong) {
                        progress.bad(name, wrong.position(), wrong.reason());
                    }
                    if (++count % STEP == 0) {
                        progress.read(name, reader.bytesRead(), reader.bytesTotal());
                    }
                }
                progress.read(name, reader.bytesRead(), reader.bytesTotal());
                entities += reader.entities();
                bad += reader.bad();
                skipped += reader.skipped();
            } finally {
                target.finish();
            }
        }
        return new Summary(entities, bad, skipped, byCategory);
    }
}
