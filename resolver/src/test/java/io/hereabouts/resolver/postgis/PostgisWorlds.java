package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.testkit.postgis.TestPostgis;

/** Worlds in new databases of the tests' server. */
final class PostgisWorlds {

    private PostgisWorlds() {}

    static PostgisWorld open() throws WorldUnavailableException {
        return open(TestPostgis.shared().newDatabase(), ResolutionLimits.DEFAULT);
    }

    static PostgisWorld open(TestPostgis.Database database, ResolutionLimits limits) throws WorldUnavailableException {
        return PostgisWorld.open(PostgisConnection.of(database.url(), database.user(), database.password()), limits);
    }
}
