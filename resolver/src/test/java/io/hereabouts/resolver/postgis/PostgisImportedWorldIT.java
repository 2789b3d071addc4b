package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.ImportedWorldContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class PostgisImportedWorldIT extends ImportedWorldContract {

    @Override
    protected WorldModel newWorld(ResolutionLimits limits) throws Exception {
        return PostgisWorlds.reset(limits);
    }
}
