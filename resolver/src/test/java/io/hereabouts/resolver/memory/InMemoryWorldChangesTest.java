package io.hereabouts.resolver.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldChangesContract;
import io.hereabouts.resolver.world.WorldModel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InMemoryWorldChangesTest extends WorldChangesContract {

    private static final Duration LONG = Duration.ofSeconds(20);

    @Override
    protected WorldModel newWorld() {
        return new InMemoryWorld(ResolutionLimits.DEFAULT);
    }

    @Test
    void shouldNotKnowWhatWasBeforeItsFirstNumberedChange() throws Exception {
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(ChangeSet.upsert(List.of(point("a"))), 50);
            world.apply(ChangeSet.upsert(List.of(point("b"))), 60);

            List<WorldChange> known = world.awaitChanges(50, LONG);
            List<WorldChange> older = world.awaitChanges(49, LONG);

            assertThat(known).hasSize(1);
            assertThat(known.get(0).isEverything()).isFalse();
            assertThat(older).hasSize(1);
            assertThat(older.get(0).isEverything()).isTrue();
            assertThat(older.get(0).version()).isEqualTo(60);
        }
    }

    @Test
    void shouldTouchNothingByWritingTheSameAgain() throws Exception {
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(ChangeSet.upsert(List.of(point("a"))));
            world.apply(ChangeSet.upsert(List.of(point("a"))));

            assertThat(world.awaitChanges(1, LONG).get(0).size()).isZero();
        }
    }

    @Test
    void shouldNotGoBack() throws Exception {
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(ChangeSet.upsert(List.of(point("a"))), 50);

            for (long version : new long[] {49, 50}) {
                assertThatThrownBy(() -> world.apply(ChangeSet.upsert(List.of(point("b"))), version))
                        .hasMessage("version is " + version + ", the world is at 50 already");
            }
        }
    }

    @Test
    void shouldForgetOldChanges() throws Exception {
        ChangeHistory history = new ChangeHistory(4);
        for (int version = 1; version <= 4; version++) {
            history.add(WorldChange.of(
                    version, List.of(WorldChange.Touched.between(point("a").id(), null, point("a")))));
        }

        assertThat(history.await(2, LONG)).extracting(WorldChange::isEverything).containsExactly(false, false);
        assertThat(history.await(1, LONG)).extracting(WorldChange::isEverything).containsExactly(true);
    }

    private static PhysicalEntity point(String id) {
        return point(id, "k", 1);
    }
}
