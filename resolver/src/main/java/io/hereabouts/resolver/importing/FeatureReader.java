package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
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

/** Reads a file feature by feature and holds none of them. For one thread. */
public final class FeatureReader implements Closeable {

    private final RawFeature.Source source;
    private final ImportRules rules;
    private final Set<String> seen = new HashSet<>();

    /** What the source gives, by the rules. */
    public FeatureReader(RawFeature.Source source, ImportRules rules) {
        this.source = source;
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
        return raw == null ? Optional.empty() : Optional.of(toFeature(raw));
    }

    private Feature toFeature(RawFeature raw) {
        String id = rules.ids().apply(raw.id(), raw.properties());
        RawFeature.Problem problem = raw.problem();
        if (problem != null && problem.kind() == RawFeature.Kind.LEFT_OUT) {
            return new Feature.Skipped(raw.position(), id, problem.reason());
        }
        Geometry geometry = raw.geometry();
        if (problem != null || geometry == null) {
            String reason = problem == null ? "no geometry" : problem.reason();
            boolean incomplete = problem != null && problem.kind() == RawFeature.Kind.INCOMPLETE;
            return new Feature.Bad(raw.position(), id, incomplete, reason);
        }
        if (id == null) {
            return bad(raw, null, "no id: " + rules.ids().wanted() + " is missing or empty");
        }
        try {
            return toFeature(raw, id, geometry);
        } catch (IllegalArgumentException e) {
            return bad(raw, id, String.valueOf(e.getMessage()));
        }
    }

    private Feature toFeature(RawFeature raw, String id, Geometry geometry) {
        Set<Category> categories = rules.categories().apply(raw.properties(), Shape.of(geometry));
        if (categories.isEmpty()) {
            return new Feature.Skipped(raw.position(), id, "no category");
        }
        AdmittedGeometry admitted = AdmittedGeometry.of(geometry, rules.repair());
        PhysicalEntity entity = new PhysicalEntity(EntityId.of(id), admitted.geometry(), new TreeSet<>(categories));
        Feature repeated = repeated(raw, id);
        return repeated == null ? new Feature.Entity(raw.position(), entity, admitted.repaired()) : repeated;
    }

    private @Nullable Feature repeated(RawFeature raw, String id) {
        if (rules.repeatedIds() == RepeatedIds.LAST_WINS || seen.add(id)) {
            return null;
        }
        return rules.repeatedIds() == RepeatedIds.FIRST_WINS
                ? new Feature.Skipped(raw.position(), id, "id was there before")
                : bad(raw, id, "id was there before");
    }

    private static Feature.Bad bad(RawFeature raw, @Nullable String id, String reason) {
        return new Feature.Bad(raw.position(), id, false, reason);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
