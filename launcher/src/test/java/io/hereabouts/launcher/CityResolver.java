package io.hereabouts.launcher;

import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;

/** The Kafka topics and a resolver of a city in this process. */
final class CityResolver implements AutoCloseable {

    static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(12);

    private final Started started = new Started();

    private CityResolver(KafkaConnection kafka, SeededCity city, MeterRegistry metrics) throws Exception {
        try {
            try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
                admin.create(TOPICS.fixed());
            }
            InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
            world.apply(ChangeSet.upsert(city.entities()));
            started.add(Resolver.launch(ResolverConfig.withDefaults(kafka, TOPICS), world, metrics));
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** Returns when the topics are there. */
    static CityResolver start(String kafka, SeededCity city, MeterRegistry metrics) throws Exception {
        return new CityResolver(KafkaConnection.to(kafka), city, metrics);
    }

    @Override
    public void close() {
        started.close();
    }
}
