package io.hereabouts.launcher;

import io.hereabouts.resolver.kafka.EntitiesFeed;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.postgis.PostgisWorld;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.ops.HealthCheck;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** The world model that the settings name: in memory, fed from Kafka, or in PostGIS. */
public final class WorldSource implements AutoCloseable, HealthCheck {

    /** What it is called where health is shown. */
    static final String NAME = "world";

    private final Started started = new Started();
    private final WorldModel world;
    private final Optional<EntitiesFeed> feed;

    private WorldSource(StackSettings settings, Wiring wiring, MeterRegistry metrics, Duration atMost)
            throws WorldUnavailableException, InterruptedException {
        if (settings.world().kind() == StackSettings.Kind.POSTGIS) {
            this.world = started.add(postgis(wiring));
            this.feed = Optional.empty();
            return;
        }
        InMemoryWorld memory = started.add(new InMemoryWorld(wiring.resolution()));
        EntitiesFeed entities = started.add(EntitiesFeed.start(wiring.kafka(), wiring.topics(), memory, metrics));
        if (!entities.awaitReady(atMost)) {
            started.close();
            throw new WorldUnavailableException(
                    "the Kafka topic " + wiring.topics().entities() + " at "
                            + wiring.kafka().bootstrapServers() + " was not read within " + atMost.toSeconds() + " s",
                    new TimeoutException());
        }
        this.world = memory;
        this.feed = Optional.of(entities);
    }

    /** The world as it is now, and as it changes from then on. */
    public static WorldSource open(StackSettings settings, Wiring wiring, MeterRegistry metrics, Duration atMost)
            throws WorldUnavailableException, InterruptedException {
        return new WorldSource(settings, wiring, metrics, atMost);
    }

    /** As above, for a command that counts nothing. */
    public static WorldSource open(StackSettings settings, Wiring wiring, Duration atMost)
            throws WorldUnavailableException, InterruptedException {
        return open(settings, wiring, new SimpleMeterRegistry(), atMost);
    }

    static PostgisWorld postgis(Wiring wiring) throws WorldUnavailableException {
        return PostgisWorld.open(wiring.postgis(), wiring.resolution());
    }

    public WorldModel world() {
        return world;
    }

    @Override
    public Optional<String> dead() {
        return feed.flatMap(EntitiesFeed::dead);
    }

    /** Not ready while the database cannot be asked. */
    @Override
    public List<String> notReady() {
        try {
            world.version();
            return feed.map(EntitiesFeed::notReady).orElse(List.of());
        } catch (WorldUnavailableException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        started.close();
    }
}
