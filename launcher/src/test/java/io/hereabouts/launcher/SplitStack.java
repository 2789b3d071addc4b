package io.hereabouts.launcher;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
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

    static final TopicCatalogue TOPICS = CityEdges.TOPICS;

    private final Started started = new Started();
    private final CityEdges edges;
    private final TwoRouters routers;
    private final String kafkaServers;

    private SplitStack(SeededCity city, Path folder, EdgeConfig.Limits limits, MeterRegistry metrics) throws Exception {
        try {
            EmbeddedKafka kafka = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
            this.kafkaServers = kafka.bootstrapServers();
            this.edges = started.add(CityEdges.start(kafkaServers, city, limits, metrics));
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

    int eastPort() {
        return edges.eastPort();
    }

    int westPort() {
        return edges.westPort();
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
