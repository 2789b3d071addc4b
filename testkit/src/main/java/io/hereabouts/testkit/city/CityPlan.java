package io.hereabouts.testkit.city;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/**
 * Draws a {@link SeededCity}. Coordinates are whole millionths of a degree, computed in integers, so that they do not
 * depend on anybody's trigonometry. Use once, one thread.
 */
final class CityPlan {

    private static final GeometryFactory GEOMETRY = new GeometryFactory();
    private static final double MICRO = 1_000_000;

    /** South-west corner and width of a zone, in millionths of a degree: about 815 m by 834 m in Berlin. */
    private static final int WEST = 13_350_000;

    private static final int SOUTH = 52_450_000;
    private static final int ZONE_LON = 12_000;
    private static final int ZONE_LAT = 7_500;

    private final SplittableRandom random;
    private final int size;
    private final List<PhysicalEntity> entities = new ArrayList<>();
    private final List<Spot> besideRoads = new ArrayList<>();
    private int roads;

    CityPlan(long seed, int size) {
        this.random = new SplittableRandom(seed);
        this.size = size;
    }

    List<PhysicalEntity> build() {
        zones();
        streets("motorway", "road/major/motorway", Math.max(3, size / 2));
        streets("primary", "road/major/primary", 2);
        streets("secondary", "road/minor/secondary", 1);
        residentialRoads();
        carParks();
        detectors();
        return entities;
    }

    /** A crooked grid: corners inside the city are moved by up to a seventh of a zone, those of its border stay. */
    private void zones() {
        Spot[][] corners = new Spot[size + 1][size + 1];
        for (int row = 0; row <= size; row++) {
            for (int column = 0; column <= size; column++) {
                boolean border = row == 0 || column == 0 || row == size || column == size;
                corners[row][column] = new Spot(
                        WEST + column * ZONE_LON + (border ? 0 : within(ZONE_LON / 7)),
                        SOUTH + row * ZONE_LAT + (border ? 0 : within(ZONE_LAT / 7)));
            }
        }
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                List<Spot> ring = List.of(
                        corners[row][column],
                        corners[row][column + 1],
                        corners[row + 1][column + 1],
                        corners[row + 1][column],
                        corners[row][column]);
                String[] categories = random.nextInt(5) == 0
                        ? new String[] {"zone/district", "zone/low-emission"}
                        : new String[] {"zone/district"};
                add("zone/" + (row * size + column + 1), GEOMETRY.createPolygon(coordinates(ring)), categories);
            }
        }
    }

    /** Streets from border to border, one in every {@code every} rows and columns of zones. */
    private void streets(String kind, String category, int every) {
        for (int line = every / 2; line < size; line += every) {
            int lat = SOUTH + line * ZONE_LAT + ZONE_LAT / 2 + within(ZONE_LAT / 3);
            int lon = WEST + line * ZONE_LON + ZONE_LON / 2 + within(ZONE_LON / 3);
            List<Spot> eastward = new ArrayList<>();
            List<Spot> northward = new ArrayList<>();
            for (int step = 0; step <= 2 * size; step++) {
                eastward.add(new Spot(WEST + step * ZONE_LON / 2 + within(ZONE_LON / 9), lat + within(ZONE_LAT / 12)));
                northward.add(
                        new Spot(lon + within(ZONE_LON / 12), SOUTH + step * ZONE_LAT / 2 + within(ZONE_LAT / 9)));
            }
            segments(kind, category, eastward);
            segments(kind, category, northward);
        }
    }

    /** Cuts a street into segments of one and a half zones, so that each of them reaches over a zone's border. */
    private void segments(String kind, String category, List<Spot> street) {
        for (int from = 0; from < street.size() - 1; from += 3) {
            List<Spot> segment = street.subList(from, Math.min(from + 4, street.size()));
            add("road/" + kind + "/" + ++roads, GEOMETRY.createLineString(coordinates(segment)), category);
            besideRoads.addAll(segment);
        }
    }

    private void residentialRoads() {
        for (int i = 0; i < size * size * 4; i++) {
            Spot start = anywhere();
            Spot end = start.moved(within(ZONE_LON / 2), within(ZONE_LAT / 2));
            if (!end.equals(start)) {
                add(
                        "road/residential/" + ++roads,
                        GEOMETRY.createLineString(coordinates(List.of(start, end))),
                        "road/other/residential");
            }
        }
    }

    private void carParks() {
        for (int i = 1; i <= size * size * 2; i++) {
            Spot corner = i % 2 == 0
                    ? anywhere()
                    : pick(besideRoads).moved(200 + random.nextInt(1_000), 150 + random.nextInt(600));
            int width = 300 + random.nextInt(900);
            int depth = 200 + random.nextInt(500);
            List<Spot> ring =
                    List.of(corner, corner.moved(width, 0), corner.moved(width, depth), corner.moved(0, depth), corner);
            add("parking/" + i, GEOMETRY.createPolygon(coordinates(ring)), "parking/lot");
        }
    }

    /** Most stand up to 25 m from a bend of a street, every tenth anywhere. */
    private void detectors() {
        for (int i = 1; i <= size * size * 3; i++) {
            Spot spot = i % 10 == 0 ? anywhere() : pick(besideRoads).moved(within(300), within(180));
            add("detector/" + i, GEOMETRY.createPoint(spot.coordinate()), "detector");
        }
    }

    private void add(String id, Geometry geometry, String... categories) {
        TreeSet<Category> sorted = new TreeSet<>();
        for (String category : categories) {
            sorted.add(Category.of(category));
        }
        entities.add(new PhysicalEntity(EntityId.of(id), geometry, sorted));
    }

    private Spot anywhere() {
        return new Spot(WEST + random.nextInt(size * ZONE_LON), SOUTH + random.nextInt(size * ZONE_LAT));
    }

    private Spot pick(List<Spot> spots) {
        return spots.get(random.nextInt(spots.size()));
    }

    private int within(int limit) {
        return random.nextInt(-limit, limit + 1);
    }

    private static Coordinate[] coordinates(List<Spot> spots) {
        return spots.stream().map(Spot::coordinate).toArray(Coordinate[]::new);
    }

    /** A place in millionths of a degree. */
    private record Spot(int lon, int lat) {
        Spot moved(int east, int north) {
            return new Spot(lon + east, lat + north);
        }

        Coordinate coordinate() {
            return new Coordinate(lon / MICRO, lat / MICRO);
        }
    }
}
