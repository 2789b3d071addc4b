package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.ImportedWorldContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class InMemoryImportedWorldTest extends ImportedWorldContract {

    @Override
    protected WorldModel newWorld(ResolutionLimits limits) {
        return new InMemoryWorld(limits);
    }
}
