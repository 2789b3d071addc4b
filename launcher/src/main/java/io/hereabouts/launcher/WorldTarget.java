package io.hereabouts.launcher;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.kafka.EntityMirror;
import io.hereabouts.resolver.kafka.WorldWriter;
import io.hereabouts.resolver.postgis.PostgisWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.settings.StackSettings;

/**
 * Where entities are written to: the Kafka topic {@code entities}, which feeds worlds in memory, or PostGIS and then the
 * ids to Kafka. For one thread.
 */
public abstract sealed class WorldTarget implements AutoCloseable {

    private static final int CHANGE_SET = 50_000;

    private ChangeSet.Builder changes = ChangeSet.builder();

    private WorldTarget() {}

    /** The target that the settings name. */
    public static WorldTarget open(StackSettings settings, Wiring wiring) throws WorldUnavailableException {
        return settings.world().kind() == StackSettings.Kind.MEMORY ? new ToKafka(wiring) : new ToPostgis(wiring);
    }

    /** Makes one version of the world: all of the change set or nothing of it. */
    protected abstract void apply(ChangeSet changes) throws WorldUnavailableException;

    /** Takes everything and writes nothing. */
    public static WorldTarget nowhere() {
        return new Nowhere();
    }

    /** Adds or replaces an entity; it may become visible later. */
    public void upsert(PhysicalEntity entity) throws WorldUnavailableException {
        changes.upsert(entity);
        applyIfLarge();
    }

    /** Removes an entity, if it is there; it may become invisible later. */
    public void delete(EntityId id) throws WorldUnavailableException {
        changes.delete(id);
        applyIfLarge();
    }

    private void applyIfLarge() throws WorldUnavailableException {
        if (changes.size() >= CHANGE_SET) {
            applyAll();
        }
    }

    private void applyAll() throws WorldUnavailableException {
        ChangeSet next = changes.build();
        changes = ChangeSet.builder();
        apply(next);
    }

    /** Returns when everything is written for good; what came since the last time is one version, if it is not large. */
    public void finish() throws WorldUnavailableException {
        applyAll();
    }

    @Override
    public abstract void close();

    private static final class Nowhere extends WorldTarget {
        @Override
        protected void apply(ChangeSet changes) {}

        @Override
        public void close() {}
    }

    private static final class ToKafka extends WorldTarget {
        private final WorldWriter writer;

        ToKafka(Wiring wiring) {
            this.writer = WorldWriter.open(wiring.kafka(), wiring.topics());
        }

        @Override
        protected void apply(ChangeSet changes) {
            writer.apply(changes);
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    private static final class ToPostgis extends WorldTarget {
        private final Wiring wiring;
        private final PostgisWorld world;

        ToPostgis(Wiring wiring) throws WorldUnavailableException {
            this.wiring = wiring;
            this.world = WorldSource.postgis(wiring);
        }

        @Override
        protected void apply(ChangeSet changes) throws WorldUnavailableException {
            world.apply(changes);
        }

        @Override
        public void finish() throws WorldUnavailableException {
            super.finish();
            EntityMirror.sync(wiring.kafka(), wiring.topics(), world, acknowledged -> {});
        }

        @Override
        public void close() {
            world.close();
        }
    }
}
