package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an import has read, to tell which entities of a world have gone from its source. Only what belongs to the source
 * can be missing in it:
 *
 * <ul>
 *   <li>a file whose ids all begin with a prefix owns the entities whose ids begin with it;
 *   <li>a file without owns the entities all of whose categories it gave to some entity.
 * </ul>
 *
 * <p>A feature that is bad is there: what it was before stays. Holds the ids, about 100 bytes each. For one thread.
 */
public final class Coverage {

    private final Set<String> ids = new HashSet<>();
    private final Set<String> prefixes = new HashSet<>();
    private final Set<Category> categories = new HashSet<>();
    private long withoutId;

    /** A feature of this file was read. */
    public void add(WorldFile file, Feature feature) {
        if (feature instanceof Feature.Entity read) {
            ids.add(read.entity().id().value());
            if (file.idPrefixes().isEmpty()) {
                categories.addAll(read.entity().categories());
            }
        } else if (feature instanceof Feature.Bad bad) {
            String id = bad.id();
            if (id == null) {
                withoutId++;
            } else {
                ids.add(id);
            }
        }
    }

    /** This file was read to its end. */
    public void add(WorldFile file) {
        List<String> ofFile = file.idPrefixes();
        prefixes.addAll(ofFile);
    }

    /** How many bad features had no id; if there are any nobody can say what is missing. */
    public long withoutId() {
        return withoutId;
    }

    /** True if the entity belongs to what was read and is not in it. */
    public boolean isMissing(PhysicalEntity entity) {
        return !ids.contains(entity.id().value()) && isOwned(entity);
    }

    private boolean isOwned(PhysicalEntity entity) {
        return prefixes.stream().anyMatch(prefix -> entity.id().value().startsWith(prefix))
                || categories.containsAll(entity.categories());
    }
}
