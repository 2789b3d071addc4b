package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/**
 * Reads a file feature by feature and holds none of them. For one thread; {@link #bytesRead} may be asked by another, to
 * draw a progress bar.
 */
public final class FeatureReader implements Closeable {

    private final RawFeature.Source source;
    private final CountedFile bytes;
    private final ImportRules rules;
    private final Set<String> seen = new HashSet<>();
    private long entities;
    private long bad;
    private long skipped;

    FeatureReader(RawFeature.Source source, CountedFile bytes, ImportRules rules) {
        this.source = source;
        this.bytes = bytes;
        this.rules = rules;
    }

    /**
     * The next feature, or empty after the last one.
     *
     * @throws IOException if the file breaks off, or is malformed so that what follows cannot be read; the message names
     *     file and position. What was read before is whole
     */
    public Optional<Feature> next() throws IOException {
        RawFeature raw = source.next();
        if (raw == null) {
            return Optional.empty();
        }
        Feature feature = toFeature(raw);
        if (feature instanceof Feature.Entity) {
            entities++;
        } else if (feature instanceof Feature.Bad) {
            bad++;
        } else {
            skipped++;
        }
        return Optional.of(feature);
    }

    private Feature toFeature(RawFeature raw) {
        String id = rules.ids().apply(raw.id(), raw.properties());
        Geometry geometry = raw.geometry();
        if (geometry == null) {
            return new Feature.Bad(raw.position(), id, String.valueOf(raw.problem()));
        }
        if (id == null) {
            return new Feature.Bad(raw.position(), null, "no id: " + rules.ids().wanted() + " is missing or empty");
        }
        Optional<String> problem = GeometryRules.problem(geometry);
        if (problem.isPresent()) {
            return new Feature.Bad(raw.position(), id, problem.get());
        }
        try {
            Set<Category> categories = rules.categories().apply(raw.properties(), geometry);
            if (categories.isEmpty()) {
                return new Feature.Skipped(raw.position(), id, "no category");
            }
            PhysicalEntity entity = new PhysicalEntity(EntityId.of(id), geometry, new TreeSet<>(categories));
            Feature repeated = repeated(raw.position(), id);
            return repeated == null ? new Feature.Entity(raw.position(), entity) : repeated;
        } catch (IllegalArgumentException e) {
            return new Feature.Bad(raw.position(), id, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Feature repeated(String position, String id) {
        if (rules.repeatedIds() == RepeatedIds.LAST_WINS || seen.add(id)) {
            return null;
        }
        return rules.repeatedIds() == RepeatedIds.FIRST_WINS
                ? new Feature.Skipped(position, id, "id was there before")
                : new Feature.Bad(position, id, "id was there before");
    }

    /** How many features became entities so far. */
    public long entities() {
        return entities;
    }

    /** How many features were wrong so far. */
    public long bad() {
        return bad;
    }

    /** How many features the rules left out so far. */
    public long skipped() {
        return skipped;
    }

    /** How much of the file was read so far, compressed as it is. */
    public long bytesRead() {
        return bytes.read();
    }

    /** The file's size. */
    public long bytesTotal() {
        return bytes.total();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
