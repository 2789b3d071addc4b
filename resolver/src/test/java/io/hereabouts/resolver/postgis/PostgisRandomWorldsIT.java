package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.RandomWorldsContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class PostgisRandomWorldsIT extends RandomWorldsContract {

    @Override
    protected WorldModel newWorld() throws Exception {
        return PostgisWorlds.reset(ResolutionLimits.DEFAULT);
    }
}
