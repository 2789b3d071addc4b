package io.hereabouts.router;

import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.PerGeneration;
import io.hereabouts.schemas.ops.HealthCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The routers of one process: one, and a second one while a next generation of Kafka topics is being prepared. That one
 * leaves publications where they are until all those of the generation before it are routed. Thread-safe.
 */
public final class Routers implements AutoCloseable, HealthCheck {

    private final PerGeneration<Router> routers;

    private Routers(PerGeneration<Router> routers) {
        this.routers = routers;
    }

    /**
     * Starts routing what there is; returns before it routes, see {@link #awaitRunning}.
     *
     * @param config its topics as the settings have them, of whatever generation
     * @throws IllegalStateException if the Kafka topics are not as they must be, naming the command to run
     */
    public static Routers launch(RouterConfig config, MeterRegistry registry) throws InterruptedException {
        RouterMetrics metrics = new RouterMetrics(registry);
        return new Routers(
                PerGeneration.start("hereabouts-router", config.kafka(), config.topics(), new PerGeneration.Parts<>() {
                    @Override
                    public Router start(Generation generation, boolean isCurrent) {
                        return Router.launch(config.at(generation), metrics, !isCurrent);
                    }

                    @Override
                    public void becomeCurrent(Router router) {
                        router.release();
                    }
                }));
    }

    /**
     * Waits until the current generation is routed.
     *
     * @throws TimeoutException if that takes longer
     * @throws IllegalStateException if it stopped instead
     */
    public void awaitRunning(Duration timeout) throws InterruptedException, TimeoutException {
        routers.current().awaitRunning(timeout);
    }

    @Override
    public Optional<String> dead() {
        return routers.dead();
    }

    @Override
    public List<String> notReady() {
        return routers.notReady();
    }

    /** Commits and leaves the groups, so that others take over at once. */
    @Override
    public void close() {
        routers.close();
    }
}
