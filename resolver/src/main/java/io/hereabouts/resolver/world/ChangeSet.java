package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Entities to add or replace and entities to delete, all in one version of the world. No id is in both. Deleting what is
 * not there is allowed and does nothing. Immutable.
 *
 * @param upserts by id: replaces the whole entity if there is one
 * @param deletes ids that are gone afterwards
 */
public record ChangeSet(Map<EntityId, PhysicalEntity> upserts, Set<EntityId> deletes) {

    public ChangeSet {
        upserts = Collections.unmodifiableMap(new LinkedHashMap<>(upserts));
        deletes = Collections.unmodifiableSet(new LinkedHashSet<>(deletes));
        if (!Collections.disjoint(upserts.keySet(), deletes)) {
            throw new IllegalArgumentException("an id is both upserted and deleted");
        }
    }

    /** Adds or replaces these entities; the last one of an id wins. */
    public static ChangeSet upsert(Collection<PhysicalEntity> entities) {
        Builder builder = builder();
        entities.forEach(builder::upsert);
        return builder.build();
    }

    /** Deletes the entities with these ids. */
    public static ChangeSet delete(Collection<EntityId> ids) {
        return new ChangeSet(Map.of(), Set.copyOf(ids));
    }

    /** An empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    public boolean isEmpty() {
        return upserts.isEmpty() && deletes.isEmpty();
    }

    /** How many ids change. */
    public int size() {
        return upserts.size() + deletes.size();
    }

    /** Collects changes in order: the last one of an id wins. For one thread. */
    public static final class Builder {

        private final Map<EntityId, PhysicalEntity> upserts = new LinkedHashMap<>();
        private final Set<EntityId> deletes = new LinkedHashSet<>();

        private Builder() {}

        /** Adds or replaces the entity. */
        public Builder upsert(PhysicalEntity entity) {
            deletes.remove(entity.id());
            upserts.put(entity.id(), entity);
            return this;
        }

        /** Deletes the entity with this id. */
        public Builder delete(EntityId id) {
            upserts.remove(id);
            deletes.add(id);
            return this;
        }

        /** How many ids change so far. */
        public int size() {
            return upserts.size() + deletes.size();
        }

        /** The changes so far. */
        public ChangeSet build() {
            return new ChangeSet(upserts, deletes);
        }
    }
}
