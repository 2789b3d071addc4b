package io.hereabouts.resolver.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldModelContract;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;

final class InMemoryWorldTest extends WorldModelContract {

    @Override
    protected WorldModel newWorld(ResolutionLimits limits) {
        return new InMemoryWorld(limits);
    }

    @Test
    void shouldRefuseWhatTakesTooLong() {
        AtomicLong millis = new AtomicLong();
        ResolutionLimits limits = new ResolutionLimits(10, Duration.ofMillis(5));
        InMemoryWorld world = new InMemoryWorld(limits, () -> millis.incrementAndGet() * 1_000_000);
        ChangeSet.Builder entities = ChangeSet.builder();
        for (int i = 0; i < 10; i++) {
            entities.upsert(new PhysicalEntity(
                    EntityId.of("k" + i),
                    new GeometryFactory().createPoint(new Coordinate(0, 0)),
                    new TreeSet<>(List.of(Category.of("kiosk")))));
        }
        world.apply(entities.build());
        NeighborhoodDescriptor descriptor = NeighborhoodDescriptor.canonical(
                List.of(new Stage(
                        List.of(new Reference.ToGeometry("POINT (0 0)")),
                        List.of(),
                        List.of(Category.of("kiosk")),
                        Condition.INTERSECTS,
                        Quantifier.ANY)),
                List.of());
        UnresolvableException refused =
                catchThrowableOfType(UnresolvableException.class, () -> world.resolve(descriptor));
        assertThat(refused.reason()).isEqualTo(UnresolvableException.Reason.TOO_SLOW);
        assertThat(refused).hasMessageContaining("5 ms");
    }

    @Test
    void shouldTakeVersionsNumberedElsewhere() {
        InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
        ChangeSet nothing = ChangeSet.builder().build();
        assertThat(world.apply(nothing, 7)).isEqualTo(7);
        assertThat(world.apply(nothing, 7)).isEqualTo(7);
        assertThatThrownBy(() -> world.apply(nothing, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThat(world.version()).isEqualTo(7);
    }
}
