package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.PhysicalEntity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.locationtech.jts.geom.Envelope;

/**
 * What is in a world. An entity of several categories counts in each. Immutable.
 *
 * @param vertices of all geometries
 * @param byGeometryType entities of each geometry type
 * @param boundingBox west, south, east, north in degrees; empty if there is no entity
 */
public record WorldStatistics(
        long entities,
        long vertices,
        Map<String, Long> byCategory,
        Map<String, Long> byGeometryType,
        List<Double> boundingBox) {

    /** Counts entities. For one thread. */
    public static final class Counter {

        private final Map<String, Long> byCategory = new TreeMap<>();
        private final Map<String, Long> byGeometryType = new TreeMap<>();
        private final Envelope box = new Envelope();
        private long entities;
        private long vertices;

        /** Counts one more. */
        public void add(PhysicalEntity entity) {
            entities++;
            vertices += entity.geometry().getNumPoints();
            entity.categories().forEach(category -> byCategory.merge(category.path(), 1L, Long::sum));
            byGeometryType.merge(entity.geometry().getGeometryType(), 1L, Long::sum);
            box.expandToInclude(entity.geometry().getEnvelopeInternal());
        }

        /** The counts so far. */
        public WorldStatistics statistics() {
            List<Double> corners = box.isNull()
                    ? List.of()
                    : Arrays.asList(box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY());
            return new WorldStatistics(
                    entities, vertices, new TreeMap<>(byCategory), new TreeMap<>(byGeometryType), corners);
        }
    }
}
