package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.RelationSuiteContract;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;

final class InMemoryRelationSuiteTest extends RelationSuiteContract {

    @Override
    protected WorldModel newWorld() {
        return new InMemoryWorld(ResolutionLimits.DEFAULT);
    }
}
