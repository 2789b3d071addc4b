package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.RandomWorldsContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class InMemoryRandomWorldsTest extends RandomWorldsContract {

    @Override
    protected WorldModel newWorld() {
        return new InMemoryWorld(ResolutionLimits.DEFAULT);
    }
}
