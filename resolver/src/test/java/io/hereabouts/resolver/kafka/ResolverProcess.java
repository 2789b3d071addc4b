package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.postgis.PostgisConnection;
import io.hereabouts.resolver.postgis.PostgisWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.hereabouts.testkit.process.Signals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A resolver in a process of its own, so that it can be killed and stopped as the operating system does it. */
final class ResolverProcess implements AutoCloseable {

    static final long SEED = 11;
    static final int SENSORS = 3_000;

    private final Process process;

    private ResolverProcess(Process process) {
        this.process = process;
    }

    /** Starts one for these topics, with {@link #world}. */
    static ResolverProcess start(
            KafkaConnection kafka, TopicCatalogue topics, Duration linger, Duration sessionTimeout) {
        return start(kafka, topics, linger, sessionTimeout, List.of());
    }

    /** Starts one for these topics, with the world in a database. */
    static ResolverProcess start(
            KafkaConnection kafka,
            TopicCatalogue topics,
            Duration linger,
            Duration sessionTimeout,
            TestPostgis.Database database) {
        return start(
                kafka, topics, linger, sessionTimeout, List.of(database.url(), database.user(), database.password()));
    }

    private static ResolverProcess start(
            KafkaConnection kafka,
            TopicCatalogue topics,
            Duration linger,
            Duration sessionTimeout,
            List<String> database) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
                sessionTimeout.toString()));
        command.addAll(database);
        try {
            return new ResolverProcess(new ProcessBuilder(command).inheritIO().start());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A city that never changes. */
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

    /** The world in a database. */
    static PostgisWorld world(String url, String user, String password) throws WorldUnavailableException {
        return PostgisWorld.open(PostgisConnection.of(url, user, password), ResolutionLimits.DEFAULT);
    }

    /** Arguments: bootstrap servers, topic prefix, partitions, linger, session timeout; URL, user and password of a database. */
    public static void main(String[] args) throws Exception {
        KafkaConnection kafka = KafkaConnection.to(args[0]);
        TopicCatalogue topics = new TopicCatalogue(args[1], Integer.parseInt(args[2]), (short) 1, Duration.ofDays(1));
        ResolverConfig config = ResolverConfig.withDefaults(kafka, topics)
                .withLinger(Duration.parse(args[3]))
                .withSessionTimeout(Duration.parse(args[4]));
        WorldModel world = args.length > 5 ? world(args[5], args[6], args[7]) : world();
        Resolver.launch(config, world, new SimpleMeterRegistry());
        Thread.currentThread().join();
    }
}
