package io.hereabouts.resolver.memory;

import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.strtree.STRtree;

/**
 * The entities of exactly one category. What it holds never changes; the tree over it is built by the first search that
 * needs it, so that a run of change sets costs no trees. Thread-safe.
 */
final class CategoryIndex {

    private final List<PhysicalEntity> entities;
    private volatile @Nullable STRtree tree;

    CategoryIndex(List<PhysicalEntity> entities) {
        this.entities = entities;
    }

    /** The index after a change. {@code removed} compares by identity. */
    CategoryIndex with(List<PhysicalEntity> added, Set<PhysicalEntity> removed) {
        List<PhysicalEntity> next = new ArrayList<>(entities.size() + added.size());
        if (removed.isEmpty()) {
            next.addAll(entities);
        } else {
            for (PhysicalEntity entity : entities) {
                if (!removed.contains(entity)) {
                    next.add(entity);
                }
            }
        }
        next.addAll(added);
        return new CategoryIndex(next);
    }

    List<PhysicalEntity> entities() {
        return entities;
    }

    /** Every entity whose box meets this one. */
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
