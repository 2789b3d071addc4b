package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.sql.SQLException;
import java.util.List;

/**
 * Which neighborhoods a publication about an entity is for: the paper's <em>spatial filter mapping</em>, in memory or in a
 * database. For one thread.
 *
 * @see <a href="https://arxiv.org/abs/2608.25728">Ungrund, Rothermel, Bhowmik: A Spatially-Aware Publish-Subscribe
 *     Middleware for IoT Applications</a>
 */
interface FilterMapping extends AutoCloseable {

    /** Adds a neighborhood that is not there yet. */
    void add(NeighborhoodId neighborhood, List<EntityId> entities) throws SQLException;

    /** Removes one that is there. */
    void remove(NeighborhoodId neighborhood) throws SQLException;

    /** The handles of the neighborhoods that the entity is in, each once and in any order. */
    long[] handles(EntityId entity) throws SQLException;

    @Override
    default void close() throws SQLException {}
}
