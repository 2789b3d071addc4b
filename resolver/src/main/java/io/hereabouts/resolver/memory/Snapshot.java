package io.hereabouts.resolver.memory;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One version of the world. A change copies the map of ids and shares all else that it does not touch: O(n) in the number
 * of entities, a millisecond for 10⁵. Immutable and thread-safe.
 */
final class Snapshot {

    static final Snapshot EMPTY = new Snapshot(0, Map.of(), new TreeMap<>());

    private final long version;
    private final Map<EntityId, PhysicalEntity> byId;
    private final NavigableMap<Category, CategoryIndex> byCategory;

    private Snapshot(
            long version, Map<EntityId, PhysicalEntity> byId, NavigableMap<Category, CategoryIndex> byCategory) {
        this.version = version;
        this.byId = byId;
        this.byCategory = byCategory;
    }

    /** The snapshot after a change, as {@code version}. */
    Snapshot with(ChangeSet changes, long version) {
        Map<EntityId, PhysicalEntity> ids = new HashMap<>(byId);
        Map<Category, Change> changed = new HashMap<>();
        for (EntityId id : changes.deletes()) {
            noteRemoved(ids.remove(id), changed);
        }
        for (PhysicalEntity entity : changes.upserts().values()) {
            noteRemoved(ids.put(entity.id(), entity), changed);
            entity.categories()
                    .forEach(c ->
                            changed.computeIfAbsent(c, x -> new Change()).added.add(entity));
        }
        NavigableMap<Category, CategoryIndex> categories = new TreeMap<>(byCategory);
        changed.forEach((category, change) -> {
            CategoryIndex index =
                    categories.getOrDefault(category, CategoryIndex.EMPTY).with(change.added, change.removed);
            if (index.isEmpty()) {
                categories.remove(category);
            } else {
                categories.put(category, index);
            }
        });
        return new Snapshot(version, ids, categories);
    }

    private static void noteRemoved(@Nullable PhysicalEntity old, Map<Category, Change> changed) {
        if (old != null) {
            old.categories().forEach(c -> changed.computeIfAbsent(c, x -> new Change())
                    .removed
                    .add(old));
        }
    }

    long version() {
        return version;
    }

    @Nullable
    PhysicalEntity entity(EntityId id) {
        return byId.get(id);
    }

    Collection<PhysicalEntity> entities() {
        return byId.values();
    }

    /** The indexes of all categories that one of these selects, each once. */
    List<CategoryIndex> selectedBy(List<Category> categories) {
        Map<Category, CategoryIndex> selected = new HashMap<>();
        for (Category category : categories) {
            for (Map.Entry<Category, CategoryIndex> entry :
                    byCategory.tailMap(category, true).entrySet()) {
                if (!entry.getKey().path().startsWith(category.path())) {
                    break;
                }
                if (category.selects(entry.getKey())) {
                    selected.put(entry.getKey(), entry.getValue());
                }
            }
        }
        return List.copyOf(selected.values());
    }

    /** What changes in one category. */
    private static final class Change {
        private final List<PhysicalEntity> added = new ArrayList<>();
        private final Set<PhysicalEntity> removed = Collections.newSetFromMap(new IdentityHashMap<>());
    }
}
