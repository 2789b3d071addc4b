package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.testkit.postgis.TestPostgis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database of its own and a world in it for each test. */
abstract class PostgisWorldFixture {

    TestPostgis.Database database;
    PostgisWorld world;

    @BeforeEach
    void openWorld() throws Exception {
        database = TestPostgis.shared().newDatabase();
        world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT);
    }

    @AfterEach
    void closeWorld() {
        world.close();
    }
}
