package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A world that is down or slow when a test wants it to be, and counts what it is asked. */
final class WorldAtWill implements WorldModel {

    private final WorldModel world;
    private final Map<NeighborhoodId, CountDownLatch> held = new ConcurrentHashMap<>();

    final AtomicInteger resolutions = new AtomicInteger();
    volatile boolean down;

    WorldAtWill(WorldModel world) {
        this.world = world;
    }

    /** The resolution of this neighborhood does not return before the latch is open. */
    CountDownLatch hold(NeighborhoodId neighborhood) {
        return held.computeIfAbsent(neighborhood, id -> new CountDownLatch(1));
    }

    @Override
    public Resolution resolve(NeighborhoodDescriptor descriptor, UnknownReferences unknown)
            throws UnresolvableException, WorldUnavailableException {
        resolutions.incrementAndGet();
        if (down) {
            throw new WorldUnavailableException(
                    "PostGIS at localhost:5432: connection refused", new SQLException("connection refused"));
        }
        CountDownLatch latch = held.get(descriptor.id());
        if (latch != null) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new WorldUnavailableException("interrupted", e);
            }
        }
        return world.resolve(descriptor, unknown);
    }

    @Override
    public List<WorldChange> awaitChanges(long since, Duration atMost)
            throws WorldUnavailableException, InterruptedException {
        return world.awaitChanges(since, atMost);
    }

    @Override
    public long version() throws WorldUnavailableException {
        return world.version();
    }

    @Override
    public MissingEntities missing(Set<EntityId> ids) throws WorldUnavailableException {
        if (down) {
            throw new WorldUnavailableException(
                    "PostGIS at localhost:5432: connection refused", new SQLException("connection refused"));
        }
        return world.missing(ids);
    }

    @Override
    public Optional<PhysicalEntity> entity(EntityId id) throws WorldUnavailableException {
        return world.entity(id);
    }

    @Override
    public long scan(Consumer<PhysicalEntity> each) throws WorldUnavailableException {
        return world.scan(each);
    }

    @Override
    public long apply(ChangeSet changes) throws WorldUnavailableException {
        return world.apply(changes);
    }

    @Override
    public void close() {
        world.close();
    }
}
