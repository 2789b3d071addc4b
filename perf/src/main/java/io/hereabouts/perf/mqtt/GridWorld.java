package io.hereabouts.perf.mqtt;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** A city of square zones with short roads, each of them inside one zone and far from its border. For one thread. */
final class GridWorld {

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();
    private static final double SIDE = 1e-3;

    private final int zones;
    private final int columns;
    private final Random random;
    /** By road, the zone that it is in. */
    private final List<Integer> places = new ArrayList<>();

    GridWorld(int entities, int zones, long seed) {
        this.zones = zones;
        this.columns = (int) Math.ceil(Math.sqrt(zones));
        this.random = new Random(seed);
        for (int r = zones; r < entities; r++) {
            places.add(random.nextInt(zones));
        }
    }

    /** All of it as it is now. */
    List<PhysicalEntity> entities() {
        List<PhysicalEntity> entities = new ArrayList<>(zones + places.size());
        for (int z = 0; z < zones; z++) {
            double x = x(z);
            double y = y(z);
            entities.add(entity(zoneId(z), "zone", GEOMETRIES.toGeometry(new Envelope(x, x + SIDE, y, y + SIDE))));
        }
        for (int r = 0; r < places.size(); r++) {
            entities.add(road(r));
        }
        return entities;
    }

    /** Any road. */
    int someRoad() {
        return random.nextInt(places.size());
    }

    /** The zone that the road is in. */
    int zoneOf(int road) {
        return places.get(road);
    }

    static String zoneId(int zone) {
        return "zone/" + zone;
    }

    static String id(int road) {
        return "road/" + road;
    }

    /** Moves the road into another zone. */
    PhysicalEntity move(int road) {
        places.set(road, (places.get(road) + 1 + random.nextInt(zones - 1)) % zones);
        return road(road);
    }

    /** The roads in a zone. */
    static String descriptor(int zone) {
        return "{\"stages\": [{\"references\": [\"" + zoneId(zone) + "\"], \"categories\": [\"road\"]}]}";
    }

    private PhysicalEntity road(int road) {
        int zone = places.get(road);
        double x = x(zone) + SIDE * (0.2 + 0.3 * random.nextDouble());
        double y = y(zone) + SIDE * (0.2 + 0.6 * random.nextDouble());
        Coordinate[] line = {new Coordinate(x, y), new Coordinate(x + SIDE * 0.3, y)};
        return entity(id(road), "road", GEOMETRIES.createLineString(line));
    }

    private double x(int zone) {
        int column = zone % columns;
        return 13 + column * SIDE;
    }

    private double y(int zone) {
        int row = zone / columns;
        return 52 + row * SIDE;
    }

    private static PhysicalEntity entity(String id, String category, Geometry geometry) {
        return new PhysicalEntity(EntityId.of(id), geometry, new TreeSet<>(List.of(Category.of(category))));
    }
}
