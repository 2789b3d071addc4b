package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.testkit.postgis.TestPostgis;
import org.jspecify.annotations.Nullable;

/** Worlds in new databases of the tests' server. */
final class PostgisWorlds {

    private static TestPostgis.@Nullable Database reused;

    private PostgisWorlds() {}

    /** The same database each time, emptied. */
    static synchronized PostgisWorld reset(ResolutionLimits limits) throws WorldUnavailableException {
        if (reused == null) {
            reused = TestPostgis.shared().newDatabase();
            open(reused, limits).close();
        }
        reused.sql("TRUNCATE hereabouts.entity; UPDATE hereabouts.world SET version = 0");
        return open(reused, limits);
    }

    static PostgisWorld open() throws WorldUnavailableException {
        return open(TestPostgis.shared().newDatabase(), ResolutionLimits.DEFAULT);
    }

    static PostgisWorld open(TestPostgis.Database database, ResolutionLimits limits) throws WorldUnavailableException {
        return PostgisWorld.open(PostgisConnection.of(database.url(), database.user(), database.password()), limits);
    }
}
