package io.hereabouts.launcher;

import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;

/** The Kafka topics, a resolver of a city and two edges in this process: all that routers meet. */
final class CityEdges implements AutoCloseable {

    static final TopicCatalogue TOPICS = CityResolver.TOPICS;

    private final Started started = new Started();
    private final Edge east;
    private final Edge west;

    private CityEdges(KafkaConnection kafka, SeededCity city, EdgeConfig.Limits limits, MeterRegistry metrics)
            throws Exception {
        try {
            started.add(CityResolver.start(kafka.bootstrapServers(), city, metrics));
            this.east = started.add(edge("east", kafka, limits, metrics));
            this.west = started.add(edge("west", kafka, limits, metrics));
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** Returns when all of it runs. */
    static CityEdges start(String kafka, SeededCity city, EdgeConfig.Limits limits, MeterRegistry metrics)
            throws Exception {
        return new CityEdges(KafkaConnection.to(kafka), city, limits, metrics);
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

    @Override
    public void close() {
        started.close();
    }
}
