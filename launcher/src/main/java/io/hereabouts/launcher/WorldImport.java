package io.hereabouts.launcher;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.importing.Coverage;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.ImportSummary;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Reads files of entities into a world; what is wrong is reported and counted, the rest goes on. */
public final class WorldImport {

    /** Told how it goes, on the thread that imports. */
    public interface Progress {
        /** So many bytes of a file were read. */
        void read(String file, long bytes, long of);

        /** An entity's geometry was wrong and was mended. */
        void repaired(String file, Feature.Entity feature);

        /** A feature is wrong and was left out. */
        void bad(String file, Feature.Bad feature);
    }

    private WorldImport() {}

    /**
     * Imports the files one after the other.
     *
     * @param coverage notes what was read, if anybody wants to know
     * @throws IOException if a file cannot be read to its end; what was read before is imported
     */
    public static ImportSummary run(
            List<WorldFile> files, WorldTarget target, Optional<Coverage> coverage, Progress progress)
            throws IOException, WorldUnavailableException {
        ImportSummary.Counter counter = new ImportSummary.Counter();
        for (WorldFile file : files) {
            try (FeatureReader reader = file.open((bytes, of) -> progress.read(file.name(), bytes, of))) {
                for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                    Feature feature = next.get();
                    counter.add(feature);
                    coverage.ifPresent(c -> c.add(file, feature));
                    if (feature instanceof Feature.Entity read) {
                        target.upsert(read.entity());
                        if (read.repaired() != null) {
                            progress.repaired(file.name(), read);
                        }
                    } else if (feature instanceof Feature.Bad wrong) {
                        progress.bad(file.name(), wrong);
                    }
                }
                coverage.ifPresent(c -> c.add(file));
            } catch (SourceUnavailableException e) {
                target.finish();
                throw e;
            } catch (IOException e) {
                target.finish();
                throw named(file, e);
            }
            target.finish();
        }
        return counter.summary();
    }

    /** With a message that names the file, which those of libraries do not. */
    private static IOException named(WorldFile file, IOException e) {
        String message = e.getMessage() == null ? "it breaks off or is damaged" : e.getMessage();
        return message.contains(file.name()) ? e : new IOException(file.name() + ": " + message, e);
    }

    /** The ids of a world's entities that belong to what was read and are not in it, sorted. */
    public static SortedSet<EntityId> missing(WorldModel world, Coverage coverage) throws WorldUnavailableException {
        SortedSet<EntityId> missing = new TreeSet<>();
        world.scan(entity -> {
            if (coverage.isMissing(entity)) {
                missing.add(entity.id());
            }
        });
        return missing;
    }
}
