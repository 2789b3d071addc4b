package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeded random worlds and descriptors: every {@link WorldModel} gives the stages that {@link BruteForceOracle} gives. */
public abstract class RandomWorldsContract {

    private static final int ENTITIES = 40;
    private static final int DESCRIPTORS = 45;
    private static final double DYADIC = 1.0 / 1024;
    private static final double DECIMAL = 0.001;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    /** Berlin on a grid that doubles hold exactly and on one that they do not, the equator, far north, the antimeridian. */
    @ParameterizedTest
    @CsvSource({
        "1, 13.375, 52.5, dyadic",
        "2, 13.4, 52.5, decimal",
        "3, -0.0078125, -0.0078125, dyadic",
        "4, 25.1, 78.2, decimal",
        "5, 179.984375, -17.5, dyadic",
        "6, 13.375, 52.5, dyadic"
    })
    void shouldAgreeWithOracle(long seed, double west, double south, String grid) throws Exception {
        agree(seed, west, south, grid.equals("dyadic") ? DYADIC : DECIMAL);
    }

    @Test
    void shouldAgreeWithOracleForNewSeed() throws Exception {
        long seed = new Random().nextLong();
        System.out.println(getClass().getSimpleName() + " random seed " + seed);
        agree(seed, 13.375, 52.5, DYADIC);
    }

    private void agree(long seed, double west, double south, double step) throws Exception {
        RandomWorlds random = new RandomWorlds(seed, west, south, step);
        BruteForceOracle oracle = new BruteForceOracle();
        try (WorldModel world = newWorld()) {
            ChangeSet.Builder first = ChangeSet.builder();
            for (int i = 0; i < ENTITIES; i++) {
                PhysicalEntity entity = random.entity(i);
                oracle.put(entity);
                first.upsert(entity);
            }
            world.apply(first.build());
            for (int i = 0; i < DESCRIPTORS; i++) {
                NeighborhoodDescriptor descriptor = random.descriptor(ENTITIES);
                List<List<EntityId>> expected =
                        oracle.stages(descriptor).stream().map(List::copyOf).toList();
                assertThat(world.resolve(descriptor).stages())
                        .as("seed %d, descriptor %d: %s", seed, i, descriptor.canonicalText())
                        .isEqualTo(expected);
                if (i % 10 == 9) {
                    PhysicalEntity moved = random.entity(i % ENTITIES);
                    oracle.put(moved);
                    world.apply(ChangeSet.upsert(List.of(moved)));
                }
            }
        }
    }
}
