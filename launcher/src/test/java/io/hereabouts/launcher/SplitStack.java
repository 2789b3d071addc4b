package io.hereabouts.launcher;

import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Two edges and a resolver of a city in this process, two routers as processes of their own, 12 partitions. */
final class SplitStack implements AutoCloseable {

    static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(12);

    private final Started started = new Started();
    private final Edge east;
    private final Edge west;
    private final TwoRouters routers;
    private final String kafkaServers;

    private SplitStack(SeededCity city, Path folder, EdgeConfig.Limits limits, MeterRegistry metrics) throws Exception {
        try {
            EmbeddedKafka kafka = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
            this.kafkaServers = kafka.bootstrapServers();
            KafkaConnection connection = KafkaConnection.to(kafkaServers);
            try (TopicAdmin admin = new TopicAdmin(connection, TOPICS)) {
                admin.create(TOPICS.fixed());
            }
            InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
            world.apply(ChangeSet.upsert(city.entities()));
            started.add(Resolver.launch(ResolverConfig.withDefaults(connection, TOPICS), world, metrics));
            this.east = started.add(edge("east", connection, limits, metrics));
            this.west = started.add(edge("west", connection, limits, metrics));
            this.routers = started.add(TwoRouters.start(kafkaServers, folder));
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** Returns when all of it runs. */
    static SplitStack start(SeededCity city, Path folder, EdgeConfig.Limits limits, MeterRegistry metrics)
            throws Exception {
        return new SplitStack(city, folder, limits, metrics);
    }

    private static Edge edge(String id, KafkaConnection kafka, EdgeConfig.Limits limits, MeterRegistry metrics) {
        return Edge.launch(
                EdgeConfig.builder(EdgeId.of(id), kafka, TOPICS)
                        .listen("127.0.0.1", 0)
                        .limits(limits)
                        .build(),
                metrics);
    }

    int eastPort() {
        return east.port();
    }

    int westPort() {
        return west.port();
    }

    TwoRouters routers() {
        return routers;
    }

    /** What a command that connects to this stack is configured with. */
    Wiring wiring() throws InvalidSettingsException {
        return Wiring.of(Settings.load(Optional.empty(), Map.of("kafka.bootstrap-servers", kafkaServers), Map.of()));
    }

    /** Closes it with this stack. */
    <T extends AutoCloseable> T add(T part) {
        return started.add(part);
    }

    @Override
    public void close() {
        started.close();
    }
}
