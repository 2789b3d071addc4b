package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Seeded random worlds and descriptors: every {@link WorldModel} gives the stages that {@link BruteForceOracle} gives. The
 * system property {@code hereabouts.resolver.descriptors} says how many; {@code hereabouts.resolver.seed} runs the world
 * of one seed.
 */
public abstract class RandomWorldsContract {

    private static final int DESCRIPTORS = Integer.getInteger("hereabouts.resolver.descriptors", 400);
    private static final int DESCRIPTORS_A_WORLD = 25;
    private static final int ENTITIES = 30;
    private static final double LEAST_SHARE = 0.05;

    private final OraclePairs pairs = new OraclePairs();
    private int resolved;
    private int empty;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    @Test
    void shouldAgreeWithOracle() throws Exception {
        try (WorldModel world = newWorld()) {
            for (long seed = 1; resolved < DESCRIPTORS; seed++) {
                agree(world, seed);
            }
        }
        report();
        pairs.answers().forEach((relation, counts) -> {
            double share = (double) counts[1] / (counts[0] + counts[1]);
            assertThat(share).as("share of pairs with %s", relation).isBetween(LEAST_SHARE, 1 - LEAST_SHARE);
        });
        assertThat(pairs.answers()).containsOnlyKeys(Relation.values());
        assertThat(empty).as("empty results of %d", resolved).isLessThanOrEqualTo(resolved / 2);
    }

    @Test
    void shouldAgreeWithOracleForNewSeed() throws Exception {
        long seed = Long.getLong("hereabouts.resolver.seed", new Random().nextLong());
        System.out.println(getClass().getSimpleName() + " random seed " + seed);
        try (WorldModel world = newWorld()) {
            agree(world, seed);
        }
    }

    /** The world of one seed, changed now and then. */
    private void agree(WorldModel world, long seed) throws Exception {
        RandomWorlds random = new RandomWorlds(seed);
        pairs.meet(RandomGeometries.Place.of(seed).isExact());
        BruteForceOracle oracle = new BruteForceOracle(pairs);
        for (int i = 0; i < ENTITIES; i++) {
            oracle.put(random.entity(i));
        }
        hold(world, List.copyOf(oracle.entities()));
        for (int i = 0; i < DESCRIPTORS_A_WORLD; i++) {
            NeighborhoodDescriptor descriptor = random.descriptor(ENTITIES);
            List<List<EntityId>> expected = stages(oracle, descriptor);
            if (!agrees(world, descriptor, expected)) {
                throw disagreement(world, seed, new Trial(List.copyOf(oracle.entities()), descriptor));
            }
            resolved++;
            empty += descriptor.select().stream().allMatch(s -> expected.get(s).isEmpty()) ? 1 : 0;
            if (i % 10 == 9) {
                PhysicalEntity moved = random.entity(i % ENTITIES);
                oracle.put(moved);
                world.apply(ChangeSet.upsert(List.of(moved)));
            }
        }
    }

    /** Makes the world hold these entities and no others. */
    private static void hold(WorldModel world, List<PhysicalEntity> entities) throws Exception {
        Set<EntityId> others = new TreeSet<>();
        world.scan(e -> others.add(e.id()));
        ChangeSet.Builder changes = ChangeSet.builder();
        others.forEach(changes::delete);
        entities.forEach(changes::upsert);
        world.apply(changes.build());
    }

    private static List<List<EntityId>> stages(BruteForceOracle oracle, NeighborhoodDescriptor descriptor) {
        return oracle.stages(descriptor).stream().map(List::copyOf).toList();
    }

    private static boolean agrees(WorldModel world, NeighborhoodDescriptor descriptor, List<List<EntityId>> expected)
            throws Exception {
        return world.resolve(descriptor).stages().equals(expected);
    }

    private static AssertionError disagreement(WorldModel world, long seed, Trial trial) throws Exception {
        Trial smallest = Shrinker.shrink(trial, smaller -> {
            hold(world, smaller.entities());
            return !agrees(world, smaller.descriptor(), expected(seed, smaller));
        });
        hold(world, smallest.entities());
        List<List<EntityId>> stages = expected(seed, smallest);
        Set<String> selected = new TreeSet<>();
        for (int stage : smallest.descriptor().select()) {
            stages.get(stage).forEach(id -> selected.add(id.value()));
        }
        return new AssertionError(String.format(
                Locale.ROOT,
                "seed %d: expected %s, found %s; as a test:%n%n%s",
                seed,
                stages,
                world.resolve(smallest.descriptor()).stages(),
                smallest.asTest("shouldAgreeOnSeed" + Math.abs(seed), new ArrayList<>(selected))));
    }

    private static List<List<EntityId>> expected(long seed, Trial trial) {
        OraclePairs fresh = new OraclePairs();
        fresh.meet(RandomGeometries.Place.of(seed).isExact());
        BruteForceOracle oracle = new BruteForceOracle(fresh);
        trial.entities().forEach(oracle::put);
        return stages(oracle, trial.descriptor());
    }

    private void report() {
        StringBuilder shares = new StringBuilder();
        for (Map.Entry<Relation, int[]> answer : pairs.answers().entrySet()) {
            int total = answer.getValue()[0] + answer.getValue()[1];
            shares.append(String.format(
                    Locale.ROOT,
                    ", %s %d %% of %d",
                    answer.getKey().word(),
                    Math.round(100.0 * answer.getValue()[1] / total),
                    total));
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d descriptors, %d with an empty result; true of the pairs asked%s%n",
                getClass().getSimpleName(),
                resolved,
                empty,
                shares.substring(1));
    }
}
