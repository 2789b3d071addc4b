package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.GeometryRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateFilter;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;

/**
 * Random geometries on a coarse grid, so that they touch, equal and overlap each other often: borders are shared, lines
 * run along lines. A few have positions off the grid. A few shapes are popular and come in several spellings. For one
 * thread.
 */
final class RandomGeometries {

    private static final int GRID = 8;
    private static final int POPULAR = 3;
    private static final int MANY_TIMES = 1_000;

    private final Random random;
    private final Place place;
    private final GeometryFactory factory = new GeometryFactory();
    private final List<Geometry> popular = new ArrayList<>();
    /** The share of positions off the grid in the geometry that is being made. */
    private double offGrid;

    RandomGeometries(Random random, Place place) {
        this.random = random;
        this.place = place;
        for (int i = 0; i < POPULAR; i++) {
            popular.add(fresh());
        }
    }

    /** The grid's corner and step in degrees; what lies beyond 180° is on the other side of the antimeridian. */
    record Place(double west, double south, double step) {

        private static final double DYADIC = 1.0 / 1024;
        private static final double DECIMAL = 0.001;

        /**
         * Grids that doubles hold exactly and grids that they do not: Berlin, the equator, far north, both sides of the
         * antimeridian.
         */
        private static final List<Place> ALL = List.of(
                new Place(13.375, 52.5, DYADIC),
                new Place(13.4, 52.5, DECIMAL),
                new Place(-4 * DYADIC, -4 * DYADIC, DYADIC),
                new Place(180 - 4 * DYADIC, -17.5, DYADIC),
                new Place(25.1, 78.2, DECIMAL));

        /** True if every position of the grid that lies on an edge does so exactly. */
        boolean isExact() {
            return step == DYADIC;
        }

        static Place of(long seed) {
            return ALL.get((int) Math.floorMod(seed, (long) ALL.size()));
        }
    }

    /** A geometry that {@link GeometryRules} let in. */
    Geometry next() {
        return random.nextInt(100) < 50 ? spelledAnew(popular.get(random.nextInt(POPULAR))) : fresh();
    }

    private Geometry fresh() {
        for (int i = 0; i < MANY_TIMES; i++) {
            offGrid = random.nextInt(8) == 0 ? 0.5 : 0;
            Geometry geometry = overTheAntimeridian(anyGeometry());
            if (GeometryRules.problem(geometry).isEmpty()) {
                return geometry;
            }
        }
        throw new AssertionError("no valid geometry in " + MANY_TIMES + " attempts");
    }

    private static Geometry overTheAntimeridian(Geometry geometry) {
        if (geometry.getEnvelopeInternal().getMinX() >= 180) {
            geometry.apply((CoordinateFilter) c -> c.x -= 360);
            geometry.geometryChanged();
        }
        return geometry;
    }

    /** The same points in another order. */
    private Geometry spelledAnew(Geometry geometry) {
        return switch (random.nextInt(3)) {
            case 0 -> geometry.reverse();
            case 1 -> geometry.norm();
            default -> geometry.copy();
        };
    }

    private Geometry anyGeometry() {
        return switch (random.nextInt(14)) {
            case 0 -> factory.createPoint(position());
            case 1 ->
                factory.createMultiPoint(IntStream.rangeClosed(0, random.nextInt(4))
                        .mapToObj(i -> factory.createPoint(position()))
                        .toArray(org.locationtech.jts.geom.Point[]::new));
            case 2, 3, 4 -> line();
            case 5 -> straight();
            case 6, 7, 8 -> box();
            case 9, 10 -> triangle();
            case 11 -> factory.createMultiLineString(new LineString[] {line(), straight()});
            case 12 -> factory.createMultiPolygon(new Polygon[] {box(), triangle()});
            default ->
                factory.createGeometryCollection(new Geometry[] {line(), factory.createPoint(position()), box()});
        };
    }

    private LineString line() {
        Coordinate[] positions = new Coordinate[2 + random.nextInt(3)];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position();
        }
        return factory.createLineString(positions);
    }

    /** Along a line of the grid: such lines overlap. */
    private LineString straight() {
        int from = random.nextInt(GRID + 1);
        int to = random.nextInt(GRID + 1);
        int along = random.nextInt(GRID + 1);
        return random.nextBoolean()
                ? factory.createLineString(new Coordinate[] {at(from, along), at(to, along)})
                : factory.createLineString(new Coordinate[] {at(along, from), at(along, to)});
    }

    private Polygon triangle() {
        Coordinate first = position();
        return factory.createPolygon(new Coordinate[] {first, position(), position(), first.copy()});
    }

    private Polygon box() {
        int x = random.nextInt(GRID - 2);
        int y = random.nextInt(GRID - 2);
        int width = 1 + random.nextInt(GRID - x);
        int height = 1 + random.nextInt(GRID - y);
        Coordinate[] shell = ring(x, y, width, height);
        return width > 2 && height > 2 && random.nextBoolean()
                ? factory.createPolygon(
                        factory.createLinearRing(shell),
                        new LinearRing[] {factory.createLinearRing(ring(x + 1, y + 1, width - 2, height - 2))})
                : factory.createPolygon(shell);
    }

    private Coordinate[] ring(int x, int y, int width, int height) {
        return new Coordinate[] {at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height), at(x, y)};
    }

    private Coordinate position() {
        return random.nextDouble() < offGrid
                ? at(random.nextDouble() * GRID, random.nextDouble() * GRID)
                : at(random.nextInt(GRID + 1), random.nextInt(GRID + 1));
    }

    private Coordinate at(double x, double y) {
        return new CoordinateXY(place.west() + x * place.step(), place.south() + y * place.step());
    }
}
