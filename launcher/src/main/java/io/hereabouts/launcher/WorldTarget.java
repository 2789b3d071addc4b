package io.hereabouts.launcher;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.kafka.EntityMirror;
import io.hereabouts.resolver.kafka.EntityWriter;
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

    private WorldTarget() {}

    /** The target that the settings name. */
    public static WorldTarget open(StackSettings settings, Wiring wiring) throws WorldUnavailableException {
        return settings.world().kind() == StackSettings.Kind.MEMORY ? new ToKafka(wiring) : new ToPostgis(wiring);
    }

    /** Adds or replaces an entity; it may become visible later. */
    public abstract void upsert(PhysicalEntity entity) throws WorldUnavailableException;

    /** Removes an entity, if it is there; it may become invisible later. */
    public abstract void delete(EntityId id) throws WorldUnavailableException;

    /** Returns when everything is written for good. */
    public abstract void finish() throws WorldUnavailableException;

    @Override
    public abstract void close();

    private static final class ToKafka extends WorldTarget {
        private final EntityWriter writer;

        ToKafka(Wiring wiring) {
            this.writer = EntityWriter.withGeometry(wiring.kafka(), wiring.topics(), acknowledged -> {});
        }

        @Override
        public void upsert(PhysicalEntity entity) {
            writer.upsert(entity);
        }

        @Override
        public void delete(EntityId id) {
            writer.delete(id);
        }

        @Override
        public void finish() {
            writer.flush();
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    private static final class ToPostgis extends WorldTarget {
        private final Wiring wiring;
        private final PostgisWorld world;
        private ChangeSet.Builder changes = ChangeSet.builder();

        ToPostgis(Wiring wiring) throws WorldUnavailableException {
            this.wiring = wiring;
            this.world = WorldSource.postgis(wiring);
        }

        @Override
        public void upsert(PhysicalEntity entity) throws WorldUnavailableException {
            changes.upsert(entity);
            applyIfLarge();
        }

        @Override
        public void delete(EntityId id) throws WorldUnavailableException {
            changes.delete(id);
            applyIfLarge();
        }

        private void applyIfLarge() throws WorldUnavailableException {
            if (changes.size() >= CHANGE_SET) {
                apply();
            }
        }

        @Override
        public void finish() throws WorldUnavailableException {
            apply();
            EntityMirror.sync(wiring.kafka(), wiring.topics(), world, acknowledged -> {});
        }

        private void apply() throws WorldUnavailableException {
            world.apply(changes.build());
            changes = ChangeSet.builder();
        }

        @Override
        public void close() {
            world.close();
        }
    }
}
