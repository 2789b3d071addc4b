package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.RelationsContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class PostgisRelationsIT extends RelationsContract {

    @Override
    protected WorldModel newWorld() throws Exception {
        return PostgisWorlds.reset(ResolutionLimits.DEFAULT);
    }
}
