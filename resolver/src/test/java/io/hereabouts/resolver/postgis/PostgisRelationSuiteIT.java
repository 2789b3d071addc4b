package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.world.RelationSuiteContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class PostgisRelationSuiteIT extends RelationSuiteContract {

    @Override
    protected WorldModel newWorld() throws Exception {
        return PostgisWorlds.reset(ResolutionLimits.DEFAULT);
    }
}
