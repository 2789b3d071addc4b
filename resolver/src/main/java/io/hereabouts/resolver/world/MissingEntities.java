package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import java.util.Set;

/**
 * Those of the entities asked for that a world does not have. Immutable.
 *
 * @param worldVersion the version that does not have them
 * @param ids in no order
 */
public record MissingEntities(long worldVersion, Set<EntityId> ids) {

    public MissingEntities {
        ids = Set.copyOf(ids);
    }
}
