package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.avro.Will;
import io.hereabouts.schemas.kafka.EdgeLeftovers;
import io.hereabouts.schemas.kafka.EdgeRegister.Removal;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.RemovalPhase;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A removal step by step, with an edge or another resolver between any two of them. */
class EdgeRemovalIT {

    private static final Duration EXPIRY = Duration.ofHours(1);
    private static final AtomicInteger EDGES = new AtomicInteger();
    private static final TestKafka KAFKA = TestKafka.start();
    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(1);
    private static final KafkaConnection CONNECTION = KafkaConnection.to(KAFKA.bootstrapServers());

    private static final Publication PUBLICATION = new Publication(
            "t", "id", "c", "e", 1, false, 7L, null, null, null, null, null, List.of(), ByteBuffer.allocate(0));

    private final EdgeId edge = EdgeId.of("e" + EDGES.incrementAndGet());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ResolverConfig config =
            ResolverConfig.withDefaults(CONNECTION, TOPICS).withEdgeExpiry(EXPIRY);
    private final Admin admin = Admin.create(CONNECTION.base("test"));
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(CONNECTION.producer("test"));
    private final EdgesLog log = new EdgesLog(CONNECTION, "test", TOPICS);
    private final EdgeRemoval removal = new EdgeRemoval(config, log, new ResolverMetrics(meters));

    @BeforeAll
    static void createTopics() throws Exception {
        try (TopicAdmin topicAdmin = new TopicAdmin(CONNECTION, TOPICS);
                Admin admin = Admin.create(CONNECTION.base("test"))) {
            topicAdmin.create(TOPICS.fixed());
            // so that a heartbeat can be of another time
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, TOPICS.edges()),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime"),
                                    AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    @BeforeEach
    void leave() throws Exception {
        createTopic();
        send(TOPICS.interests(), "n|air/#|" + edge);
        send(TOPICS.subscriptions(), edge + "\0client\0air/#\0n");
    }

    @AfterEach
    void close() {
        removal.close();
        log.close();
        producer.close();
        admin.close();
    }

    @AfterAll
    static void stopKafka() {
        KAFKA.close();
    }

    @Test
    void shouldRemoveAllThatIsThere() throws Exception {
        heartbeat(EXPIRY);
        removal.begin(edge);
        assertThat(leftovers()).isEmpty();
        assertThat(phase()).isEqualTo(RemovalPhase.WAITING);
        assertThat(log.register().lease(edge)).isNull();

        removal.goOn(edge);

        assertRemoved();
    }

    @Test
    void shouldPublishTheWillsOfItsClientsAndWithdrawItsClaims() throws Exception {
        byte[] will = Framing.encode(new Will("x", 3600L, ByteBuffer.wrap(Framing.encode(PUBLICATION))));
        put(TOPICS.wills(), edge + "\0c\0run\0" + 1, will);
        put(TOPICS.wills(), edge + "x\0c\0run\0" + 1, will);
        put(TOPICS.wills(), edge + "\0unreadable\0run\0" + 2, new byte[] {1});
        put(TOPICS.sessions(), "of-" + edge, Framing.encode(new SessionClaim(edge.value(), "run", 1L, null, false)));
        put(TOPICS.sessions(), "moved-" + edge, Framing.encode(new SessionClaim(edge.value(), "run", 1L, null, false)));
        put(TOPICS.sessions(), "moved-" + edge, Framing.encode(new SessionClaim("other", "run", 1L, null, false)));
        heartbeat(EXPIRY);
        long before = end(TOPICS.publications());

        removal.begin(edge);

        List<ConsumerRecord<byte[], byte[]>> published = records(TOPICS.publications(), before);
        assertThat(published).hasSize(1);
        assertThat(published.get(0).key()).isEqualTo("x".getBytes(StandardCharsets.UTF_8));
        Publication publication = Framing.decode(published.get(0).value(), Publication.class);
        assertThat(publication.getPublicationId()).isEqualTo(PUBLICATION.getPublicationId());
        assertThat(publication.getEventTime()).as("expires from now on").isGreaterThan(PUBLICATION.getEventTime());
        assertThat(live(TOPICS.wills()))
                .contains(edge + "x\0c\0run\0" + 1)
                .noneMatch(key -> key.startsWith(edge + "\0"));
        assertThat(live(TOPICS.sessions())).contains("moved-" + edge).doesNotContain("of-" + edge);
        assertThat(meters.counter("hereabouts.resolver.wills").count()).isEqualTo(1);

        removal.goOn(edge);
        assertThat(end(TOPICS.publications())).isEqualTo(before + 1);
    }

    @Test
    void shouldLeaveAnEdgeAloneThatAnswersInTheLastMoment() throws Exception {
        heartbeat(EXPIRY.minusMinutes(1));

        removal.begin(edge);

        assertStays();
        assertThat(leftovers()).hasSize(2);
    }

    @Test
    void shouldLeaveAnEdgeAloneThatReturnsWhileOthersAreWaitedFor() throws Exception {
        heartbeat(EXPIRY);
        removal.begin(edge);
        heartbeat(Duration.ZERO);

        removal.goOn(edge);

        assertStays();
    }

    @Test
    void shouldWaitForResolversAndThenForRouters() throws Exception {
        heartbeat(EXPIRY);
        commit(config.groupId(), TOPICS.interests(), 0);
        commit(TOPICS.routerGroup(), TOPICS.filters(), 0);
        removal.begin(edge);
        removal.goOn(edge);
        assertThat(phase())
                .as("no resolver has read that the interests are gone")
                .isEqualTo(RemovalPhase.WAITING);

        commit(config.groupId(), TOPICS.interests(), 1_000);
        send(TOPICS.filters(), "I|n|air/#|" + edge);
        removal.goOn(edge);
        assertThat(phase()).as("no router has read that the filters are gone").isEqualTo(RemovalPhase.WAITING);
        assertThat(hasTopic()).isTrue();

        commit(TOPICS.routerGroup(), TOPICS.filters(), 1_000);
        removal.goOn(edge);

        assertRemoved();
    }

    @Test
    void shouldGoOnWhereAFormerOwnerWasKilled() throws Exception {
        for (RemovalPhase phase : RemovalPhase.values()) {
            send(TOPICS.interests(), "n|air/#|" + edge);
            heartbeat(EXPIRY);
            enter(phase);
            if (phase != RemovalPhase.WITHDRAWING) {
                log.write(Keys.lease(edge), null);
            }
            log.readToEnd();
            for (int step = 0; step < 4 && log.register().removal(edge) != null; step++) {
                removal.goOn(edge);
            }
            assertRemoved();
            createTopic();
        }
    }

    @Test
    void shouldNotDeleteTheTopicOfAnEdgeThatReturnedBefore() throws Exception {
        heartbeat(Duration.ZERO);
        enter(RemovalPhase.DELETING);
        log.readToEnd();

        removal.goOn(edge);

        assertStays();
        assertThat(leftovers()).hasSize(2);
    }

    /** A heartbeat behind the phase is of a process that has not noticed yet: who starts anew would wait. */
    @Test
    void shouldRemoveWhatAProcessWroteThatHadNotNoticed() throws Exception {
        heartbeat(EXPIRY);
        removal.begin(edge);
        send(TOPICS.interests(), "n|noise/#|" + edge);
        enter(RemovalPhase.DELETING);
        heartbeat(Duration.ZERO);
        log.readToEnd();

        removal.goOn(edge);
        assertThat(leftovers()).isEmpty();
        assertThat(phase()).isEqualTo(RemovalPhase.WAITING);
    }

    private void assertRemoved() throws Exception {
        log.readToEnd();
        assertThat(log.register().removal(edge)).isNull();
        assertThat(log.register().lease(edge)).isNull();
        assertThat(leftovers()).isEmpty();
        assertThat(hasTopic()).isFalse();
        assertThat(count("removed")).isPositive();
    }

    private void assertStays() throws Exception {
        log.readToEnd();
        assertThat(log.register().removal(edge)).isNull();
        assertThat(log.register().lease(edge)).isNotNull();
        assertThat(hasTopic()).isTrue();
        assertThat(count("returned")).isEqualTo(1);
        assertThat(count("removed")).isZero();
    }

    private void createTopic() throws Exception {
        try (TopicAdmin topicAdmin = new TopicAdmin(CONNECTION, TOPICS)) {
            topicAdmin.create(List.of(TOPICS.deliveriesOf(edge)));
        }
    }

    private double count(String outcome) {
        return meters.counter("hereabouts.resolver.edges", "outcome", outcome).count();
    }

    private RemovalPhase phase() {
        Removal now = Objects.requireNonNull(log.register().removal(edge));
        return now.phase();
    }

    private List<EdgeLeftovers> leftovers() {
        return EdgeLeftovers.find(CONNECTION, "test", TOPICS, edge);
    }

    private boolean hasTopic() throws Exception {
        return admin.listTopics().names().get().contains(TOPICS.deliveries(edge));
    }

    /** The edge's, of so long ago, as Kafka's clock says. */
    private void heartbeat(Duration ago) throws Exception {
        byte[] lease = Framing.encode(new EdgeLease("h", "d", 1, 0L, 1, "run"));
        producer.send(new ProducerRecord<>(
                        TOPICS.edges(), 0, System.currentTimeMillis() - ago.toMillis(), Keys.lease(edge), lease))
                .get();
        log.readToEnd();
    }

    private void enter(RemovalPhase phase) throws Exception {
        log.write(
                Keys.edgeRemoval(edge), Framing.encode(new io.hereabouts.schemas.avro.EdgeRemoval(phase.name(), "h")));
    }

    private void commit(String group, String topic, long offset) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> offsets = new java.util.HashMap<>();
        int partitions = Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .size();
        for (int p = 0; p < partitions; p++) {
            offsets.put(new TopicPartition(topic, p), new OffsetAndMetadata(offset));
        }
        admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }

    private void put(String topic, String key, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), value))
                .get();
    }

    private long end(String topic) {
        return records(topic, 0).stream()
                .mapToLong(record -> record.offset() + 1)
                .max()
                .orElse(0);
    }

    private Set<String> live(String topic) {
        Set<String> live = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : records(topic, 0)) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null) {
                live.remove(key);
            } else {
                live.add(key);
            }
        }
        return live;
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(String topic, long from) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(CONNECTION.consumer("test"))) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    private void send(String topic, String key) throws Exception {
        producer.send(new ProducerRecord<>(
                        topic, key.getBytes(java.nio.charset.StandardCharsets.UTF_8), new byte[] {1}))
                .get();
    }
}
