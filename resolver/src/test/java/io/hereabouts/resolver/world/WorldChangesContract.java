package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;

/** What a {@link WorldModel} says of its changes, and what resolutions say they depend on. */
public abstract class WorldChangesContract {

    private static final int ENTITIES = 40;
    private static final int DESCRIPTORS = 60;
    private static final int CHANGES = 40;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldMeanTheSameUntilTheFootprintIsTouched(long seed) throws Exception {
        compare(seed);
    }

    @Test
    void shouldMeanTheSameUntilTheFootprintIsTouchedForNewSeed() throws Exception {
        long seed = new Random().nextLong();
        System.out.println(getClass().getSimpleName() + " random seed " + seed);
        compare(seed);
    }

    private void compare(long seed) throws Exception {
        RandomWorlds random = new RandomWorlds(seed);
        Random dice = new Random(seed);
        int spared = 0;
        int different = 0;
        try (WorldModel world = newWorld()) {
            ChangeSet.Builder first = ChangeSet.builder();
            for (int i = 0; i < ENTITIES; i++) {
                first.upsert(random.entity(i));
            }
            world.apply(first.build());
            List<NeighborhoodDescriptor> descriptors = new ArrayList<>();
            List<Resolution> before = new ArrayList<>();
            for (int i = 0; i < DESCRIPTORS; i++) {
                descriptors.add(random.descriptor(ENTITIES));
                before.add(world.resolve(descriptors.get(i), UnknownReferences.LEAVE_OUT));
            }
            for (int c = 0; c < CHANGES; c++) {
                long since = world.version();
                EntityId id = EntityId.of("e" + dice.nextInt(ENTITIES));
                world.apply(
                        dice.nextInt(3) == 0
                                ? ChangeSet.delete(List.of(id))
                                : ChangeSet.upsert(List.of(random.entity(dice.nextInt(ENTITIES)))));
                List<WorldChange> changes = changes(world, since);
                for (int i = 0; i < DESCRIPTORS; i++) {
                    Resolution old = before.get(i);
                    Resolution now = world.resolve(descriptors.get(i), UnknownReferences.LEAVE_OUT);
                    boolean same =
                            now.stages().equals(old.stages()) && now.unknown().equals(old.unknown());
                    if (changes.stream().noneMatch(old.footprint()::isTouchedBy)) {
                        spared++;
                        assertThat(same)
                                .as(
                                        "seed %d, change %d, %s: %s, %s",
                                        seed, c, descriptors.get(i).canonicalText(), old, now)
                                .isTrue();
                    }
                    different += same ? 0 : 1;
                    before.set(i, now);
                }
            }
        }
        assertThat(different).as("changes that made a difference").isGreaterThan(DESCRIPTORS);
        assertThat(spared)
                .as("resolutions that a change did not touch, of %d", DESCRIPTORS * CHANGES)
                .isGreaterThan(DESCRIPTORS * CHANGES / 10);
    }

    @Test
    void shouldTellEachChangeOnceInOrder() throws Exception {
        try (WorldModel world = newWorld()) {
            assertThat(world.awaitChanges(0, SHORT)).isEmpty();
            RandomWorlds random = new RandomWorlds(7);
            for (int i = 0; i < 3; i++) {
                world.apply(ChangeSet.upsert(List.of(random.entity(i))));
            }

            List<WorldChange> all = world.awaitChanges(0, LONG);

            assertThat(all).extracting(WorldChange::version).containsExactly(1L, 2L, 3L);
            assertThat(all).extracting(WorldChange::size).containsExactly(1, 1, 1);
            assertThat(world.awaitChanges(2, LONG)).hasSize(1);
            assertThat(world.awaitChanges(3, SHORT)).isEmpty();
        }
    }

    @Test
    void shouldTouchWhereTheEntityWasAndWhereItIs() throws Exception {
        try (WorldModel world = newWorld()) {
            world.apply(ChangeSet.upsert(List.of(point("m", "road/a", 10))));
            world.apply(ChangeSet.upsert(List.of(point("m", "road/b", 20))));
            world.apply(ChangeSet.delete(List.of(EntityId.of("m"))));

            List<WorldChange> changes = changes(world, 1);

            assertThat(changes).hasSize(2);
            WorldChange moved = changes.get(0);
            assertThat(touches(moved, "road/a", 10)).isTrue();
            assertThat(touches(moved, "road/b", 20)).isTrue();
            assertThat(touches(moved, "road/a", 15)).isFalse();
            assertThat(touches(moved, "zone", 10)).isFalse();
            assertThat(moved.touchesAny(List.of(EntityId.of("m")))).isTrue();
            assertThat(moved.touchesAny(List.of(EntityId.of("n")))).isFalse();
            assertThat(touches(changes.get(1), "road", 20)).isTrue();
            assertThat(touches(changes.get(1), "road", 10)).isFalse();
        }
    }

    @Test
    void shouldTellAWaitingReaderAtOnce() throws Exception {
        try (WorldModel world = newWorld()) {
            Thread writer = new Thread(() -> {
                try {
                    world.apply(ChangeSet.upsert(List.of(point("m", "road/a", 10))));
                } catch (WorldUnavailableException e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();

            assertThat(world.awaitChanges(0, LONG))
                    .extracting(WorldChange::version)
                    .containsExactly(1L);
            writer.join();
        }
    }

    /** Nobody knows what happened to a world before it began, or in another world. */
    @Test
    void shouldSayThatEverythingMayHaveChangedSinceAVersionItNeverHad() throws Exception {
        try (WorldModel world = newWorld()) {
            world.apply(ChangeSet.upsert(List.of(point("m", "road/a", 10))));

            List<WorldChange> changes = changes(world, 999);

            assertThat(changes).hasSize(1);
            assertThat(changes.get(0).isEverything()).isTrue();
            assertThat(changes.get(0).version()).isEqualTo(1);
        }
    }

    /** A point at as many degrees east and north. */
    protected static PhysicalEntity point(String id, String category, double degrees) {
        return new PhysicalEntity(
                EntityId.of(id),
                new GeometryFactory().createPoint(new Coordinate(degrees, degrees)),
                new TreeSet<>(Set.of(Category.of(category))));
    }

    private static boolean touches(WorldChange change, String category, double degrees) {
        Footprint footprint = new Footprint(
                Set.of(),
                List.of(new Footprint.Reach(
                        List.of(Category.of(category)),
                        false,
                        List.of(new Envelope(degrees - 1, degrees + 1, degrees - 1, degrees + 1)))));
        return footprint.isTouchedBy(change);
    }

    private static List<WorldChange> changes(WorldModel world, long since) throws Exception {
        return world.awaitChanges(since, world.version() == since ? SHORT : LONG);
    }
}
