package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.PhysicalEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a file was read to. */
public final class ReadFile {

    private final List<Feature> features = new ArrayList<>();
    private final SortedMap<String, PhysicalEntity> entities = new TreeMap<>();
    private final ImportSummary summary;

    private ReadFile(WorldFile file) throws IOException {
        ImportSummary.Counter counter = new ImportSummary.Counter();
        try (FeatureReader reader = file.open()) {
            for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                features.add(next.get());
                counter.add(next.get());
                if (next.get() instanceof Feature.Entity found) {
                    entities.put(found.entity().id().value(), found.entity());
                }
            }
        }
        summary = counter.summary();
    }

    /** Reads it to its end. */
    public static ReadFile of(WorldFile file) throws IOException {
        return new ReadFile(file);
    }

    public ImportSummary summary() {
        return summary;
    }

    public Map<String, PhysicalEntity> entities() {
        return entities;
    }

    public Set<String> ids() {
        return entities.keySet();
    }

    /** The entity, which is there. */
    public PhysicalEntity entity(String id) {
        return Objects.requireNonNull(entities.get(id), id);
    }

    /** The categories and the geometry of an entity, as one text. */
    public String text(String id) {
        return entity(id).categories() + " " + entity(id).geometry();
    }

    /** The wrong features, in order. */
    public List<Feature.Bad> bad() {
        return features.stream()
                .filter(f -> f instanceof Feature.Bad)
                .map(f -> (Feature.Bad) f)
                .toList();
    }

    /** Id and reason of the wrong features, in order. */
    public List<String> problems() {
        return bad().stream().map(b -> b.id() + ": " + b.reason()).toList();
    }

    /** The features left out, in order. */
    public List<Feature.Skipped> skipped() {
        return features.stream()
                .filter(f -> f instanceof Feature.Skipped)
                .map(f -> (Feature.Skipped) f)
                .toList();
    }
}
