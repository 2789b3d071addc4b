package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.resolver.world.ChangeSet;
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
            entities.add(zone(i));
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

    /** Sensors come, go and move; now and then a zone goes or comes back. */
    static ChangeSet change(Random random) {
        ChangeSet.Builder changes = ChangeSet.builder();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String sensor = "sensor/" + random.nextInt(1_200);
            switch (random.nextInt(8)) {
                case 0 -> changes.delete(EntityId.of("zone/" + random.nextInt(ZONES)));
                case 1 -> changes.upsert(zone(random.nextInt(ZONES)));
                case 2 -> changes.delete(EntityId.of(sensor));
                default ->
                    changes.upsert(sensor(sensor, 13 + 0.1 * random.nextDouble(), 52 + 0.1 * random.nextDouble()));
            }
        }
        return changes.build();
    }

    private static PhysicalEntity zone(int i) {
        double x = 13 + (i % 10) * 0.01;
        int row = i / 10;
        double y = 52 + row * 0.01;
        return entity("zone/" + i, "zone", new Envelope(x, x + 0.01, y, y + 0.01));
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
