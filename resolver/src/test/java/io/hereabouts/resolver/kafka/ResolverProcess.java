package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.process.Signals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A resolver in a process of its own, so that it can be killed and stopped as the operating system does it. */
final class ResolverProcess implements AutoCloseable {

    static final long SEED = 11;
    static final int SENSORS = 3_000;

    private final Process process;

    private ResolverProcess(Process process) {
        this.process = process;
    }

    /** Starts one for these topics. */
    static ResolverProcess start(
            KafkaConnection kafka, TopicCatalogue topics, Duration linger, Duration sessionTimeout) {
        try {
            return new ResolverProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ResolverProcess.class.getName(),
                            kafka.bootstrapServers(),
                            topics.prefix(),
                            String.valueOf(topics.partitions()),
                            linger.toString(),
                            sessionTimeout.toString())
                    .inheritIO()
                    .start());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The city that the process resolves against. */
    static WorldModel world() {
        InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
        world.apply(ChangeSet.upsert(TestCity.entities(SEED, SENSORS)));
        return world;
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void stall() throws IOException, InterruptedException {
        Signals.stall(process);
    }

    void wake() throws IOException, InterruptedException {
        Signals.wake(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        kill();
    }

    /** Arguments: bootstrap servers, topic prefix, partitions, linger, session timeout. */
    public static void main(String[] args) throws InterruptedException {
        KafkaConnection kafka = KafkaConnection.to(args[0]);
        TopicCatalogue topics = new TopicCatalogue(args[1], Integer.parseInt(args[2]), (short) 1, Duration.ofDays(1));
        ResolverConfig config = ResolverConfig.withDefaults(kafka, topics)
                .withLinger(Duration.parse(args[3]))
                .withSessionTimeout(Duration.parse(args[4]));
        Resolver.launch(config, world(), new SimpleMeterRegistry());
        Thread.currentThread().join();
    }
}
