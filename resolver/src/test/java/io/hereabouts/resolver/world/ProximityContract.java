package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
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
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;

/**
 * Metres in every {@link WorldModel}: right beyond 1 mm + 10⁻⁶ of the distance, and no neighbor is lost on the way to
 * being measured, at any latitude, at the poles and over the antimeridian.
 */
public abstract class ProximityContract {

    private static final Category REFERENCE = Category.of("reference");
    private static final Category NEIGHBOR = Category.of("neighbor");
    private static final int PAIRS = 12;
    private static final int NEIGHBORS = 12;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    /** Points, edges and triangles within some metres of a place, half of them on both sides of the antimeridian. */
    @ParameterizedTest
    @CsvSource({
        "1, 52.5, 1",
        "2, 0, 50",
        "3, -33, 2000",
        "4, 70, 20000",
        "5, 52.5, 500000",
        "6, -80, 500000",
        "7, -89.5, 5000",
        "8, 89.9, 1000",
        "9, 89.99, 50"
    })
    void shouldBeRightAtTheThreshold(long seed, double lat, double metres) throws Exception {
        Random random = new Random(seed);
        GeodesicShapes shapes = new GeodesicShapes(random);
        try (WorldModel world = newWorld()) {
            for (int pair = 0; pair < PAIRS; ) {
                double lon = pair % 2 == 0 ? random.nextDouble() * 360 - 180 : 180;
                Geometry a = shapes.near(lon, lat, metres, pair % 3);
                Geometry b = shapes.near(lon, lat, metres, pair / 3 % 3);
                if (a.intersects(b)) {
                    continue;
                }
                pair++;
                double distance = OracleDistance.metres(a, b, Double.POSITIVE_INFINITY);
                double tolerance = 0.001 + 1e-6 * distance;
                if (distance < 2 * tolerance) {
                    continue;
                }
                world.apply(ChangeSet.upsert(List.of(entity("reference", REFERENCE, a), entity("0", NEIGHBOR, b))));
                List<Stage> stages = List.of(
                        stage("reference", NEIGHBOR, distance + tolerance),
                        stage("reference", NEIGHBOR, distance - tolerance),
                        stage("0", REFERENCE, distance + tolerance),
                        stage("0", REFERENCE, distance - tolerance));
                assertThat(world.resolve(NeighborhoodDescriptor.canonical(stages, List.of()))
                                .stages())
                        .as("seed %d: %s and %s at %s", seed, a, b, distance)
                        .containsExactly(
                                List.of(EntityId.of("0")), List.of(), List.of(EntityId.of("reference")), List.of());
            }
        }
    }

    /** From a place on the reference so many metres in any direction: what is there is found, from either side. */
    @ParameterizedTest
    @ValueSource(doubles = {-90, -89.95, -89.5, -85, -60, -33, 0, 20, 52.5, 70, 84.9, 85.1, 89, 89.85, 89.95, 90})
    void shouldLoseNoNeighbor(double lat) throws Exception {
        Random random = new Random(Double.hashCode(lat));
        GeodesicShapes shapes = new GeodesicShapes(random);
        try (WorldModel world = newWorld()) {
            for (double metres : new double[] {1, 50, 5_000, 500_000}) {
                for (int i = 0; i < 6; i++) {
                    double lon = i % 2 == 0 ? random.nextDouble() * 360 - 180 : 180;
                    // edges over the ice caps are measured in very many pieces
                    boolean large = metres > 100_000 && Math.abs(lat) > 80;
                    Geometry reference = shapes.near(lon, lat, metres, large ? 0 : i % 3);
                    look(world, reference, neighbors(random, reference, metres), metres);
                }
            }
        }
    }

    private static List<Geometry> neighbors(Random random, Geometry reference, double metres) {
        List<Geometry> neighbors = new ArrayList<>();
        Coordinate[] corners = reference.getCoordinates();
        for (int i = 0; i < NEIGHBORS; i++) {
            Coordinate from = corners[random.nextInt(corners.length)];
            GeodesicData there = Geodesic.WGS84.Direct(
                    from.y, from.x, random.nextDouble() * 360, metres - 2 * (0.001 + 1e-6 * metres));
            neighbors.add(reference.getFactory().createPoint(new Coordinate(there.lon2, there.lat2)));
        }
        return neighbors;
    }

    private static void look(WorldModel world, Geometry reference, List<Geometry> neighbors, double metres)
            throws Exception {
        ChangeSet.Builder changes = ChangeSet.builder().upsert(entity("reference", REFERENCE, reference));
        List<Stage> stages = new ArrayList<>(List.of(stage("reference", NEIGHBOR, metres)));
        for (int i = 0; i < neighbors.size(); i++) {
            changes.upsert(entity(String.valueOf(i), NEIGHBOR, neighbors.get(i)));
            stages.add(stage(String.valueOf(i), REFERENCE, metres));
        }
        world.apply(changes.build());
        List<List<EntityId>> found = world.resolve(NeighborhoodDescriptor.canonical(stages, List.of()))
                .stages();
        assertThat(found.get(0))
                .as("%s m around %s: %s", metres, reference, neighbors)
                .hasSize(neighbors.size());
        for (int i = 0; i < neighbors.size(); i++) {
            assertThat(found.get(i + 1))
                    .as("%s m around %s: %s", metres, neighbors.get(i), reference)
                    .containsExactly(EntityId.of("reference"));
        }
    }

    private static Stage stage(String reference, Category wanted, double metres) {
        return new Stage(
                List.of(new Reference.ToEntity(EntityId.of(reference))),
                List.of(),
                List.of(wanted),
                new Condition.Related(Relation.DWITHIN, metres, null),
                Quantifier.ANY);
    }

    private static PhysicalEntity entity(String id, Category category, Geometry geometry) {
        return new PhysicalEntity(EntityId.of(id), geometry, new TreeSet<>(List.of(category)));
    }
}
