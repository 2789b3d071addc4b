package io.hereabouts.resolver.memory;

import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.strtree.STRtree;

/**
 * The entities of exactly one category: a tree of many, and what few have come and gone since. What it holds never
 * changes; versions of the world that differ little share the tree, which the first search that needs it builds, so that a
 * run of change sets costs few trees or none. Compares entities by identity. Thread-safe.
 */
final class CategoryIndex {

    static final CategoryIndex EMPTY = new CategoryIndex(new Base(List.of()), List.of(), Set.of());

    /** Each search looks at all that have come, and that takes about as long as the tree then. */
    private static final int MOST_SINCE = 1_024;

    private static final int BASE_TO_SINCE = 8;

    private final Base base;
    private final List<PhysicalEntity> come;
    /** Of the base. */
    private final Set<PhysicalEntity> gone;

    private CategoryIndex(Base base, List<PhysicalEntity> come, Set<PhysicalEntity> gone) {
        this.base = base;
        this.come = come;
        this.gone = gone;
    }

    /** The index after a change; {@code removed} are in this one. O(what has come and gone), now and then O(n). */
    CategoryIndex with(List<PhysicalEntity> added, Set<PhysicalEntity> removed) {
        Set<PhysicalEntity> nextGone = byIdentity();
        nextGone.addAll(gone);
        nextGone.addAll(removed);
        List<PhysicalEntity> nextCome = new ArrayList<>(come.size() + added.size());
        for (PhysicalEntity entity : come) {
            if (!nextGone.remove(entity)) {
                nextCome.add(entity);
            }
        }
        nextCome.addAll(added);
        CategoryIndex next = new CategoryIndex(base, nextCome, nextGone);
        int since = nextCome.size() + nextGone.size();
        boolean few = since <= Math.min(MOST_SINCE, base.entities.size() / BASE_TO_SINCE);
        return few ? next : new CategoryIndex(new Base(next.entities()), List.of(), Set.of());
    }

    boolean isEmpty() {
        return base.entities.size() == gone.size() && come.isEmpty();
    }

    /** All of them; O(n) if any has come or gone. */
    List<PhysicalEntity> entities() {
        if (come.isEmpty() && gone.isEmpty()) {
            return base.entities;
        }
        List<PhysicalEntity> all = new ArrayList<>(base.entities.size() - gone.size() + come.size());
        for (PhysicalEntity entity : base.entities) {
            if (!gone.contains(entity)) {
                all.add(entity);
            }
        }
        all.addAll(come);
        return all;
    }

    /** Every entity whose box meets this one. */
    List<PhysicalEntity> near(Envelope box) {
        List<PhysicalEntity> near = base.near(box);
        if (!gone.isEmpty()) {
            near.removeIf(gone::contains);
        }
        for (PhysicalEntity entity : come) {
            if (entity.geometry().getEnvelopeInternal().intersects(box)) {
                near.add(entity);
            }
        }
        return near;
    }

    private static Set<PhysicalEntity> byIdentity() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static final class Base {
        private final List<PhysicalEntity> entities;
        private volatile @Nullable STRtree tree;

        Base(List<PhysicalEntity> entities) {
            this.entities = entities;
        }

        /** A list of the caller's own. */
        @SuppressWarnings("unchecked")
        List<PhysicalEntity> near(Envelope box) {
            return tree().query(box);
        }

        private STRtree tree() {
            STRtree built = tree;
            if (built == null) {
                synchronized (this) {
                    built = tree;
                    if (built == null) {
                        built = new STRtree();
                        for (PhysicalEntity entity : entities) {
                            built.insert(entity.geometry().getEnvelopeInternal(), entity);
                        }
                        built.build();
                        tree = built;
                    }
                }
            }
            return built;
        }
    }
}
