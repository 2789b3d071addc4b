package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.RelationsContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class InMemoryRelationsTest extends RelationsContract {

    @Override
    protected WorldModel newWorld() {
        return new InMemoryWorld(ResolutionLimits.DEFAULT);
    }
}
