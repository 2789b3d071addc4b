package io.hereabouts.router;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The topology of production, stepped record by record in one partition. Its own Owner record is at offset 0. */
final class SteppedRouter implements AutoCloseable {

    private static final class Loaded {
        private final byte[] key;
        private final byte @Nullable [] value;

        Loaded(byte[] key, byte @Nullable [] value) {
            this.key = key;
            this.value = value;
        }
    }

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Loaded> toLoad = new ArrayList<>();
    private final Set<String> gone = new HashSet<>();
    private final Set<String> silent = new HashSet<>();
    private final Map<String, EdgeBook> books = new HashMap<>();
    private final Map<EdgeId, EdgeTopic> edgeTopics = new HashMap<>();
    private TopicCatalogue topics = TopicCatalogue.withPartitions(1);
    private long ownerOffset;
    private long nextFilter;
    private String identity = "";
    private @Nullable TopologyTestDriver driver;
    private @Nullable TestInputTopic<byte[], byte[]> filters;
    private @Nullable TestInputTopic<byte[], byte[]> publications;

    void partitions(int count) {
        topics = TopicCatalogue.withPartitions(count);
    }

    void ownerIsAt(long offset) {
        ownerOffset = offset;
    }

    void loads(byte[] key, byte @Nullable [] value) {
        toLoad.add(new Loaded(key, value));
    }

    void edgeIsGone(String edge) {
        gone.add(edge);
    }

    void edgeIsSilent(String edge) {
        silent.add(edge);
    }

    /** Loads, and reads its own Owner record as the first of the partition. */
    void start() {
        startAt(0);
        filters(Keys.owner(), ownOwnerRecord());
    }

    /** Loads; the next publication has this offset, the next filter record has offset 0. */
    void startAt(int publicationOffset) {
        RouterConfig config = RouterConfig.defaults(KafkaConnection.to("nowhere:9092"), topics);
        driver = new TopologyTestDriver(
                RouterTopology.build(config, this::load, new StandInTopics(), new RouterMetrics(meters)),
                StreamsSettings.of(config));
        ByteArraySerializer bytes = new ByteArraySerializer();
        filters = driver.createInputTopic(topics.filters(), bytes, bytes);
        publications = driver.createInputTopic(topics.publications(), bytes, bytes);
        for (int i = 0; i < publicationOffset; i++) {
            publications(Keys.probe(), null);
        }
    }

    private long load(int partition, String owner, FilterLoader.RecordSink sink) {
        identity = owner;
        toLoad.forEach(record -> sink.accept(record.key, record.value, new RecordHeaders()));
        return ownerOffset;
    }

    TopicCatalogue topics() {
        return topics;
    }

    String identity() {
        return identity;
    }

    /** Returns the offset. */
    long slice(NeighborhoodId id, long version, String... entities) {
        return filters(Keys.slice(id), FilterWriter.slice(1, version, entities.length, List.of(entities)));
    }

    long interest(NeighborhoodId id, String filter, String edge, long version) {
        return filters(key(id, filter, edge), FilterWriter.interest(1, version));
    }

    void removeInterest(NeighborhoodId id, String filter, String edge, long version) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("epoch", FilterWriter.bytes(1)).add("version", FilterWriter.bytes(version));
        Objects.requireNonNull(filters).pipeInput(new TestRecord<>(key(id, filter, edge), null, headers, 0L));
        nextFilter++;
    }

    void owner(String who) {
        filters(Keys.owner(), Framing.encode(Owner.newBuilder().setOwner(who).build()));
    }

    long ownerOffset() {
        return ownerOffset;
    }

    /** The value that the loader of production would have written. */
    byte[] ownOwnerRecord() {
        return Framing.encode(Owner.newBuilder().setOwner(identity).build());
    }

    /** @param filter may be shared */
    static Interest interestOf(NeighborhoodId id, String filter, String edge) {
        SubscribedFilter parsed = SubscribedFilter.parse(filter);
        return new Interest(id, parsed.topicFilter(), parsed.share(), EdgeId.of(edge));
    }

    private static byte[] key(NeighborhoodId id, String filter, String edge) {
        return Keys.filterInterest(interestOf(id, filter, edge));
    }

    long filters(byte @Nullable [] key, byte @Nullable [] value) {
        Objects.requireNonNull(filters).pipeInput(new TestRecord<>(key, value));
        return nextFilter++;
    }

    void publish(String entity, String topic, String payload) {
        publications(entity.getBytes(StandardCharsets.UTF_8), TestPublisher.publication(topic, payload));
    }

    void publications(byte @Nullable [] key, byte @Nullable [] value) {
        Objects.requireNonNull(publications).pipeInput(new TestRecord<>(key, value));
    }

    void publication(byte[] key, byte[] value, Headers headers, long timestamp) {
        Objects.requireNonNull(publications).pipeInput(new TestRecord<>(key, value, headers, timestamp));
    }

    /** What was sent to the edge since the last time. */
    List<TestRecord<byte[], byte[]>> sent(String edge) {
        return read(topics.deliveries(EdgeId.of(edge)));
    }

    /** The edge's book, up to now. */
    EdgeBook readEdge(String edge) {
        EdgeBook book = books.computeIfAbsent(edge, e -> new EdgeBook());
        sent(edge).forEach(record -> book.take(record.key(), record.value()));
        return book;
    }

    List<TestRecord<byte[], byte[]>> deadLetters() {
        return read(topics.deadLetters());
    }

    Set<String> topicsWritten() {
        return Objects.requireNonNull(driver).producedTopicNames();
    }

    private List<TestRecord<byte[], byte[]>> read(String topic) {
        TopologyTestDriver from = Objects.requireNonNull(driver);
        if (!from.producedTopicNames().contains(topic)) {
            return List.of();
        }
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        return from.createOutputTopic(topic, bytes, bytes).readRecordsToList();
    }

    double count(String counter) {
        return meters.get(counter).meters().stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(Measurement::getValue)
                .sum();
    }

    double count(String counter, String reason) {
        return meters.get(counter).tag("reason", reason).counter().count();
    }

    /** Some entity of the partition. */
    static String entityOf(int partition, int partitions) {
        int i = 0;
        while (Partitions.partitionOf(EntityId.of("entity-" + i), partitions) != partition) {
            i++;
        }
        return "entity-" + i;
    }

    @Override
    public void close() {
        if (driver != null) {
            driver.close();
        }
    }

    private final class StandInTopics implements EdgeTopics {
        @Override
        public EdgeTopic of(EdgeId edge) {
            return edgeTopics.computeIfAbsent(edge, e -> new EdgeTopic(topics.deliveries(e)));
        }

        @Override
        public boolean ask(EdgeTopic topic) {
            boolean exists = gone.stream().noneMatch(e -> topic.name().endsWith("." + e));
            if (exists) {
                topic.seen();
            }
            return exists;
        }

        @Override
        public boolean lives(EdgeId edge) {
            return !silent.contains(edge.value());
        }

        @Override
        public void forgetMisses() {}
    }
}
