package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.io.WKTWriter;

/**
 * Random entities and descriptors from a seed. Coordinates lie on a coarse grid so that geometries touch, equal and
 * overlap each other often; categories have prefixes of one another that are no parents.
 */
final class RandomWorlds {

    private static final List<String> CATEGORIES =
            List.of("road/major/primary", "road/major/motorway", "road/minor", "road", "roadside", "zone", "zone/a");
    private static final List<String> WANTED =
            List.of("road", "road/major", "road/minor", "zone", "roadside", "nothing");
    private static final List<String> PATTERNS = List.of(
            "T*F**F***", "FF*FF****", "F***1****", "T********", "*T*******", "FF*FF*0**", "**T**F***", "212101212");
    private static final double[] DISTANCES = {0, 41.7, 137.3, 512.9, 1603.1};
    private static final int GRID = 16;
    private static final int MANY_TIMES = 200;

    private final Random random;
    private final GeometryFactory factory = new GeometryFactory();
    private final double west;
    private final double south;
    private final double step;

    /** @param step of the grid in degrees */
    RandomWorlds(long seed, double west, double south, double step) {
        this.random = new Random(seed);
        this.west = west;
        this.south = south;
        this.step = step;
    }

    PhysicalEntity entity(int number) {
        TreeSet<Category> categories = new TreeSet<>();
        for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
            categories.add(Category.of(oneOf(CATEGORIES)));
        }
        return new PhysicalEntity(EntityId.of("e" + number), geometry(), categories);
    }

    NeighborhoodDescriptor descriptor(int entities) {
        int count = 1 + random.nextInt(3);
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stages.add(stage(i, entities));
        }
        List<Integer> select = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (random.nextBoolean()) {
                select.add(i);
            }
        }
        return NeighborhoodDescriptor.canonical(stages, select);
    }

    private Stage stage(int index, int entities) {
        List<Reference> references = new ArrayList<>();
        List<Integer> from = new ArrayList<>();
        for (int i = 0; i < index; i++) {
            if (random.nextBoolean()) {
                from.add(i);
            }
        }
        int own = random.nextInt(3);
        for (int i = 0; i < own || (from.isEmpty() && references.isEmpty()); i++) {
            references.add(
                    random.nextInt(4) == 0
                            ? new Reference.ToGeometry(
                                    new WKTWriter(2).write(geometry().norm()))
                            : new Reference.ToEntity(EntityId.of("e" + random.nextInt(entities))));
        }
        List<Category> categories = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            categories.add(Category.of(oneOf(WANTED)));
        }
        Quantifier match = random.nextInt(2) == 0 ? Quantifier.ANY : oneOf(List.of(Quantifier.values()));
        return new Stage(references, from, categories, condition(2), match);
    }

    private Condition condition(int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(6);
        return switch (kind) {
            case 3 -> new Condition.And(List.of(condition(depth - 1), condition(depth - 1)));
            case 4 -> new Condition.Or(List.of(condition(depth - 1), condition(depth - 1)));
            case 5 -> new Condition.Not(condition(depth - 1));
            default -> related();
        };
    }

    private Condition related() {
        Relation relation = oneOf(List.of(Relation.values()));
        double distance = relation == Relation.DWITHIN ? DISTANCES[random.nextInt(DISTANCES.length)] : 0;
        @Nullable String pattern = relation == Relation.RELATE ? oneOf(PATTERNS) : null;
        return new Condition.Related(relation, distance, pattern);
    }

    private Geometry geometry() {
        for (int i = 0; i < MANY_TIMES; i++) {
            Geometry geometry = anyGeometry();
            if (GeometryRules.problem(geometry).isEmpty()) {
                return geometry;
            }
        }
        throw new AssertionError("no valid geometry in " + MANY_TIMES + " attempts");
    }

    private Geometry anyGeometry() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> factory.createPoint(position());
            case 2, 3 -> line();
            case 4, 5 -> box();
            case 6 -> triangle();
            case 7 -> factory.createMultiLineString(new LineString[] {line(), line()});
            case 8 -> factory.createMultiPolygon(new Polygon[] {box(), triangle()});
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

    private Polygon triangle() {
        Coordinate first = position();
        return factory.createPolygon(new Coordinate[] {first, position(), position(), first.copy()});
    }

    private Polygon box() {
        int x = random.nextInt(GRID - 4);
        int y = random.nextInt(GRID - 4);
        int width = 1 + random.nextInt(5);
        int height = 1 + random.nextInt(5);
        Coordinate[] shell = ring(x, y, width, height);
        return width > 2 && height > 2 && random.nextBoolean()
                ? factory.createPolygon(factory.createLinearRing(shell), new org.locationtech.jts.geom.LinearRing[] {
                    factory.createLinearRing(ring(x + 1, y + 1, width - 2, height - 2))
                })
                : factory.createPolygon(shell);
    }

    private Coordinate[] ring(int x, int y, int width, int height) {
        return new Coordinate[] {at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height), at(x, y)};
    }

    private Coordinate position() {
        return at(random.nextInt(GRID + 1), random.nextInt(GRID + 1));
    }

    private Coordinate at(int x, int y) {
        return new CoordinateXY(west + x * step, south + y * step);
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
