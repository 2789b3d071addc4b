package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import io.hereabouts.testkit.city.RealCity;
import io.hereabouts.testkit.city.SeededCity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.util.AffineTransformation;

/**
 * As many entities as are wanted: cities on a grid, each a made-up one of its own or a copy of the real one. They stay
 * where doubles are as dense as they were, so that moving rounds no coordinate: what met exactly still does.
 */
final class CityCopies {

    /** Between these, doubles are equally far from each other. */
    private static final Envelope SAME_DENSITY = new Envelope(8, 16, 32, 64);

    private static final double GAP = 1.05;

    private final IntFunction<List<PhysicalEntity>> cities;
    private final Envelope box;
    private final int size;

    private CityCopies(IntFunction<List<PhysicalEntity>> cities) {
        this.cities = cities;
        this.box = new Envelope();
        List<PhysicalEntity> first = cities.apply(0);
        first.forEach(entity -> box.expandToInclude(entity.geometry().getEnvelopeInternal()));
        this.size = first.size();
    }

    /** Made-up cities of consecutive seeds, or copies of the one whose data is in this folder. */
    static CityCopies of(long seed, @Nullable Path data) throws MeasurementException {
        if (data == null) {
            return new CityCopies(
                    i -> SeededCity.generate(seed + i, SeededCity.DEFAULT_SIZE).entities());
        }
        List<PhysicalEntity> city = read(data);
        return new CityCopies(i -> city);
    }

    /** One city, where it is. */
    List<PhysicalEntity> one() {
        return cities.apply(0);
    }

    /** So many entities, the last city cut off. */
    List<PhysicalEntity> entities(int total) throws MeasurementException {
        double east = stepOver(box.getWidth());
        double north = stepOver(box.getHeight());
        int cityCount = (total + size - 1) / size;
        int columns = (int) Math.min(Math.ceil(Math.sqrt(cityCount)), Math.floor(SAME_DENSITY.getWidth() / east));
        int rows = (cityCount + columns - 1) / columns;
        double west =
                first(box.getMinX(), box.getMaxX(), east, columns, SAME_DENSITY.getMinX(), SAME_DENSITY.getMaxX());
        double south = first(box.getMinY(), box.getMaxY(), north, rows, SAME_DENSITY.getMinY(), SAME_DENSITY.getMaxY());
        List<PhysicalEntity> entities = new ArrayList<>(total);
        for (int i = 0; entities.size() < total; i++) {
            int column = i % columns;
            int row = i / columns;
            AffineTransformation move =
                    AffineTransformation.translationInstance(west + column * east, south + row * north);
            List<PhysicalEntity> city = cities.apply(i);
            for (PhysicalEntity entity : city.subList(0, Math.min(city.size(), total - entities.size()))) {
                Geometry moved = move.transform(entity.geometry());
                entities.add(
                        new PhysicalEntity(EntityId.of("city" + i + "/" + entity.id()), moved, entity.categories()));
            }
        }
        return entities;
    }

    /** The smallest power of two that leaves a gap between cities. */
    private static double stepOver(double extent) {
        return Math.scalb(1.0, Math.getExponent(extent * GAP) + 1);
    }

    /** Where the first of {@code count} cities goes, so that they lie around the original and none outside of the limits. */
    private static double first(double min, double max, double step, int count, double least, double most)
            throws MeasurementException {
        double earliest = Math.ceil((least - min) / step);
        double latest = Math.floor((most - max) / step) - (count - 1);
        if (earliest > latest) {
            throw new MeasurementException(count + " cities have no room beside each other");
        }
        return step * Math.max(earliest, Math.min(latest, -(count / 2)));
    }

    private static List<PhysicalEntity> read(Path data) throws MeasurementException {
        // an id that comes again replaces, as in an import
        Map<EntityId, PhysicalEntity> entities = new LinkedHashMap<>();
        try {
            for (WorldFile file : WorldManifest.parse(RealCity.manifest(), data)) {
                try (FeatureReader reader = file.open()) {
                    for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                        if (next.get() instanceof Feature.Entity found) {
                            entities.put(found.entity().id(), found.entity());
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new MeasurementException("the city's data cannot be read", e);
        }
        return List.copyOf(entities.values());
    }
}
