package io.hereabouts.perf.postgis;

import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.SQLException;
import java.util.List;

/** Who resolves. */
interface Contender {

    /** The ids of the neighborhood, by their {@code toString}, each once and in any order. */
    List<?> resolve(Question question) throws SQLException, WorldUnavailableException, UnresolvableException;
}
