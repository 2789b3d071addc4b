package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.strtree.STRtree;

/**
 * What a version of the world changed: which entities, and where they were before and are after. Says too much rather
 * than too little. Immutable and thread-safe.
 */
public final class WorldChange {

    /**
     * An entity that was added, replaced or deleted.
     *
     * @param categories those before and those after
     * @param boxes lon/lat, around the geometry before and after; one or two
     */
    public record Touched(EntityId id, Set<Category> categories, List<Envelope> boxes) {
        public Touched {
            categories = Set.copyOf(categories);
            boxes = List.copyOf(boxes);
        }

        /** An entity that was like the one and is like the other; null where it was not there. */
        public static Touched between(EntityId id, @Nullable PhysicalEntity before, @Nullable PhysicalEntity after) {
            Set<Category> categories = new HashSet<>();
            List<Envelope> boxes = new ArrayList<>();
            for (PhysicalEntity state : new PhysicalEntity[] {before, after}) {
                if (state != null) {
                    categories.addAll(state.categories());
                    boxes.add(state.geometry().getEnvelopeInternal());
                }
            }
            return new Touched(id, categories, boxes);
        }
    }

    private final long version;
    private final boolean everything;
    private final Set<EntityId> ids = new HashSet<>();
    private final Set<Category> categories = new HashSet<>();
    private final STRtree places = new STRtree();

    private WorldChange(long version, boolean everything, Collection<Touched> touched) {
        this.version = version;
        this.everything = everything;
        for (Touched entity : touched) {
            ids.add(entity.id());
            categories.addAll(entity.categories());
            entity.boxes().forEach(box -> places.insert(box, entity));
        }
        places.build();
    }

    /** The change to {@code version}; of an entity that is listed more than once all places count. */
    public static WorldChange of(long version, Collection<Touched> touched) {
        return new WorldChange(version, false, touched);
    }

    /** A change to {@code version} of which nothing else is known. */
    public static WorldChange everything(long version) {
        return new WorldChange(version, true, List.of());
    }

    /** The version that it made. */
    public long version() {
        return version;
    }

    /** True if nothing else is known than that there was a change. */
    public boolean isEverything() {
        return everything;
    }

    /** How many entities were touched; 0 if that is not known. */
    public int size() {
        return ids.size();
    }

    /** True if one of these entities may have changed. */
    boolean touchesAny(Collection<EntityId> entities) {
        return everything || entities.stream().anyMatch(ids::contains);
    }

    /** True if an entity of these categories or below may have changed. */
    boolean touches(List<Category> selected) {
        return everything || categories.stream().anyMatch(c -> selects(selected, c));
    }

    /** True if an entity of these categories or below may have changed that met the box, or meets it now. */
    boolean touches(List<Category> selected, Envelope box) {
        if (everything) {
            return true;
        }
        for (Object found : places.query(box)) {
            for (Category category : ((Touched) found).categories()) {
                if (selects(selected, category)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean selects(List<Category> selected, Category category) {
        return selected.stream().anyMatch(s -> s.selects(category));
    }
}
