package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.ProximityContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class PostgisProximityIT extends ProximityContract {

    @Override
    protected WorldModel newWorld() throws Exception {
        return PostgisWorlds.reset(ResolutionLimits.DEFAULT);
    }
}
