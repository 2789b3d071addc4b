package io.hereabouts.router;

import io.hereabouts.schemas.kafka.TopicCatalogue;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The router as Kafka Streams runs it. Both sources feed processors that share the store, so one task has the same
 * partition of {@code filters} and of {@code publications}. Nothing here depends on record timestamps, but Kafka Streams
 * takes the record with the lower one first where both wait: filters get 0 and so come first.
 */
final class RouterTopology {

    static final String STORE = "filter-index";
    static final String APPLIED = "applied";
    static final String DELIVERIES = "deliveries";
    static final String DEAD_LETTERS = "dead-letters";

    private static final String FILTERS = "filters";
    private static final String PUBLICATIONS = "publications";
    private static final String UPDATE = "update";
    private static final String ROUTE = "route";

    static final TimestampExtractor FIRST = (record, partitionTime) -> 0;
    static final TimestampExtractor NEVER_NEGATIVE = (record, partitionTime) -> Math.max(0, record.timestamp());

    private RouterTopology() {}

    static Topology build(RouterConfig config, FilterLoader loader, EdgeTopics edges, RouterMetrics metrics) {
        TopicCatalogue topics = config.topics();
        ByteArrayDeserializer in = new ByteArrayDeserializer();
        ByteArraySerializer out = new ByteArraySerializer();
        FilterStoreBuilder store = new FilterStoreBuilder(
                STORE, () -> new FilterStore(STORE, loader, edges, metrics, config.topicCacheBytes()));

        return new Topology()
                .addSource(AutoOffsetReset.none(), FILTERS, FIRST, in, in, topics.filters())
                .addProcessor(
                        UPDATE, () -> new FilterProcessor(topics.generation().number(), edges, metrics), FILTERS)
                .addSource(AutoOffsetReset.none(), PUBLICATIONS, NEVER_NEGATIVE, in, in, topics.publications())
                .addProcessor(ROUTE, () -> new RouteProcessor(topics.generation(), edges, metrics), PUBLICATIONS)
                .addStateStore(store, UPDATE, ROUTE)
                .addSink(APPLIED, (key, value, at) -> value.topic(), out, Outgoing.serializer(), UPDATE)
                .addSink(DELIVERIES, (key, value, at) -> value.topic(), out, Outgoing.serializer(), ROUTE)
                .addSink(DEAD_LETTERS, topics.deadLetters(), out, out, UPDATE, ROUTE);
    }
}
