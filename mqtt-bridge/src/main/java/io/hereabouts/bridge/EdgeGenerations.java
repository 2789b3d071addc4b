package io.hereabouts.bridge;

import io.hereabouts.bridge.loop.GenerationChange;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The generations of Kafka topics, as an edge reads them. No state. */
final class EdgeGenerations {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private EdgeGenerations() {}

    /** @throws IllegalStateException if Kafka does not answer */
    static Generations read(EdgeConfig config, String name) throws InterruptedException {
        try {
            return GenerationsTopic.read(config.kafka(), config.topics(), START_TIMEOUT);
        } catch (TimeoutException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }

    /** @throws IllegalStateException if Kafka does not answer */
    static GenerationsTopic follow(EdgeConfig config, String name, GenerationChange change)
            throws InterruptedException {
        try {
            return GenerationsTopic.follow(
                    config.kafka(), name + "-generations", config.topics(), START_TIMEOUT, change::changed);
        } catch (TimeoutException e) {
            throw new IllegalStateException(name + ": " + e.getMessage(), e);
        }
    }
}
