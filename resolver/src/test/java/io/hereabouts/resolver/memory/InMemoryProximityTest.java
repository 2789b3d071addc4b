package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.ProximityContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class InMemoryProximityTest extends ProximityContract {

    @Override
    protected WorldModel newWorld() {
        return new InMemoryWorld(ResolutionLimits.DEFAULT);
    }
}
