package io.hereabouts.launcher;

import io.hereabouts.launcher.config.StackSettings;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.WorldModel;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The world model that the settings name, up to date when it is opened. */
final class WorldSource implements AutoCloseable {

    private final Started started = new Started();
    private final WorldModel world;

    private WorldSource(WorldModel world) {
        this.world = started.add(world);
    }

    static WorldSource open(StackSettings settings, Wiring wiring, MeterRegistry metrics, Duration atMost)
            throws Exception {
        return new WorldSource(new InMemoryWorld(wiring.resolution()));
    }

    WorldModel world() {
        return world;
    }

    @Override
    public void close() {
        started.close();
    }
}
