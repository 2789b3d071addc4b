package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;

/** A seeded city: a grid of square zones, sensors at random places in them, and one zone without a sensor. */
final class TestCity {

    static final int ZONES = 100;

    private static final DescriptorParser PARSER = new DescriptorParser(DescriptorLimits.DEFAULT);
    private static final GeometryFactory GEOMETRY = new GeometryFactory();

    private TestCity() {}

    /** Zones {@code zone/0} to {@code zone/99}, {@code zone/empty}, and this many sensors. */
    static List<PhysicalEntity> entities(long seed, int sensors) {
        Random random = new Random(seed);
        List<PhysicalEntity> entities = new ArrayList<>();
        for (int i = 0; i < ZONES; i++) {
            double x = 13 + (i % 10) * 0.01;
            int row = i / 10;
            double y = 52 + row * 0.01;
            entities.add(entity("zone/" + i, "zone", new Envelope(x, x + 0.01, y, y + 0.01)));
        }
        entities.add(entity("zone/empty", "zone", new Envelope(14, 14.01, 53, 53.01)));
        for (int i = 0; i < sensors; i++) {
            // the square makes some zones crowded and leaves others nearly empty
            double x = 13 + 0.1 * Math.pow(random.nextDouble(), 2);
            double y = 52 + 0.1 * Math.pow(random.nextDouble(), 2);
            entities.add(sensor("sensor/" + i, x, y));
        }
        return entities;
    }

    static PhysicalEntity sensor(String id, double lon, double lat) {
        return entity(id, "sensor/air", new Envelope(new Coordinate(lon, lat)));
    }

    /** The sensors in a zone. */
    static NeighborhoodDescriptor sensorsIn(String zone) {
        return descriptor("{\"stages\":[{\"references\":[\"" + zone + "\"],\"categories\":[\"sensor\"]}]}");
    }

    static NeighborhoodDescriptor descriptor(String json) {
        try {
            return PARSER.parse(json);
        } catch (InvalidDescriptorException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Interest interest(NeighborhoodDescriptor descriptor, String topicFilter, EdgeId edge) {
        return new Interest(descriptor.id(), TopicFilter.parse(topicFilter), edge);
    }

    private static PhysicalEntity entity(String id, String category, Envelope place) {
        TreeSet<Category> categories = new TreeSet<>(List.of(Category.of(category)));
        return new PhysicalEntity(EntityId.of(id), GEOMETRY.toGeometry(place), categories);
    }
}
