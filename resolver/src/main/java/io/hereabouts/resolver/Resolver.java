package io.hereabouts.resolver;

import io.hereabouts.resolver.kafka.ResolverLoop;
import io.hereabouts.resolver.kafka.ResolverMetrics;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.PerGeneration;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.hereabouts.schemas.ops.HealthCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Turns the interests that edges hold into spatial filters for routers, and answers each request. Several resolvers of
 * one group divide the neighborhoods among themselves and take over from each other; whatever one of them was killed
 * at, the next one finishes. While a next generation of {@code filters} is being prepared it writes both.
 */
public final class Resolver implements AutoCloseable, HealthCheck {

    private final PerGeneration<ResolverLoop> loops;

    private Resolver(PerGeneration<ResolverLoop> loops) {
        this.loops = loops;
    }

    /**
     * Checks the Kafka topics and starts a resolver. The world stays the caller's to close, after the resolver.
     *
     * @param config its topics as the settings have them, of whatever generation
     * @throws IllegalStateException naming every topic that is missing or has a wrong number of partitions
     */
    public static Resolver launch(ResolverConfig config, WorldModel world, MeterRegistry meters)
            throws InterruptedException {
        ResolverMetrics metrics = ResolverMetrics.ofResolver(meters);
        return new Resolver(PerGeneration.start(
                "hereabouts-resolver", config.kafka(), config.topics(), new PerGeneration.Parts<>() {
                    @Override
                    public ResolverLoop start(Generation generation, boolean isCurrent) throws InterruptedException {
                        return Resolver.start(config.at(generation), world, metrics);
                    }

                    @Override
                    public void becomeCurrent(ResolverLoop loop) {
                        loop.becomeCurrent();
                    }
                }));
    }

    private static ResolverLoop start(ResolverConfig config, WorldModel world, ResolverMetrics metrics)
            throws InterruptedException {
        TopicCatalogue topics = config.topics();
        int interestPartitions = 0;
        List<String> problems = new ArrayList<>();
        try (TopicAdmin admin = new TopicAdmin(config.kafka(), topics)) {
            for (TopicSpec topic : topics.fixed()) {
                int expected = topic.partitions();
                int found = admin.partitionsOf(topic.name()).orElse(0);
                if (topic.name().equals(topics.interests())) {
                    interestPartitions = found;
                }
                if (List.of(topics.interests(), topics.filters(), topics.deadLetters(), topics.edges())
                                .contains(topic.name())
                        && found != expected) {
                    problems.add(topic.name() + " " + topics.wrongPartitions(topic, found));
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka at " + config.kafka().bootstrapServers() + ": " + e.getCause(), e);
        }
        if (!problems.isEmpty()) {
            throw new IllegalStateException(String.join("; ", problems)
                    + "; see 'hereabouts topics check', create with 'hereabouts topics init'");
        }
        ResolverLoop loop = new ResolverLoop(config, world, metrics, interestPartitions);
        loop.start();
        return loop;
    }

    /**
     * Waits until this resolver has taken over the partitions that its group assigned to it; there may be none for it.
     *
     * @return false if it has not within {@code atMost}
     */
    public boolean awaitReady(Duration atMost) throws InterruptedException {
        return loops.current().awaitReady(atMost);
    }

    @Override
    public Optional<String> dead() {
        return loops.dead();
    }

    /** Not ready before it has taken over what its group assigned to it, and while Kafka does not answer. */
    @Override
    public List<String> notReady() {
        return loops.notReady();
    }

    /** Finishes what was decided, hands the rest over to the group, and leaves it. */
    @Override
    public void close() {
        loops.close();
    }
}
