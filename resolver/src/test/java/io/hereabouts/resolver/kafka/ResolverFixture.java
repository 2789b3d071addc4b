package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A Kafka for a class of tests; for each test Kafka topics of its own, a world and an edge. */
abstract class ResolverFixture {

    static final int PARTITIONS = 6;

    static KafkaConnection kafka;
    /** Grows with each test. */
    static int run;

    private static TestKafka broker;

    TopicCatalogue topics;
    InMemoryWorld city;
    /** The same, as the resolver sees it. */
    WorldAtWill world;

    SimpleMeterRegistry meters;
    TestEdge edge;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void startKafka() {
        // Awaitility interrupts a condition that takes long, and Kafka's clients do not take that well
        Awaitility.pollInSameThread();
        broker = TestKafka.start();
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stopKafka() {
        broker.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        topics = new TopicCatalogue("t" + ++run + ".", PARTITIONS, (short) 1, Duration.ofDays(1));
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed().stream()
                    .filter(t -> List.of(
                                    topics.interests(),
                                    topics.filters(),
                                    topics.deadLetters(),
                                    topics.edges(),
                                    topics.generations())
                            .contains(t.name()))
                    .toList());
        }
        city = newCity();
        world = new WorldAtWill(city);
        meters = new SimpleMeterRegistry();
        edge = open(new TestEdge(kafka, topics, "edge-" + run));
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        opened.clear();
    }

    /** The world as each test finds it. */
    abstract InMemoryWorld newCity();

    Resolver launch(Duration linger) throws InterruptedException {
        Resolver resolver =
                open(Resolver.launch(ResolverConfig.withDefaults(kafka, topics).withLinger(linger), world, meters));
        assertThat(resolver.awaitReady(Duration.ofSeconds(30))).isTrue();
        return resolver;
    }

    /** Closed after the test, the last one first. */
    <T extends AutoCloseable> T open(T resource) {
        opened.add(resource);
        return resource;
    }

    /** {@code filters} is what resolution from scratch gives for what the edge holds. */
    void assertFilters() {
        FiltersView view = view();
        assertThat(view.byPlace()).isEqualTo(TestEdge.expected(city, PARTITIONS, edge));
        assertThat(view.byStamp()).isEqualTo(view.byPlace());
    }

    FiltersView view() {
        return FiltersView.of(filters());
    }

    List<ConsumerRecord<byte[], byte[]>> filters() {
        return TestEdge.dump(kafka, topics.filters(), PARTITIONS);
    }

    double count(String name, String tag, String value) {
        Counter counter = meters.find(name).tag(tag, value).counter();
        return counter == null ? 0 : counter.count();
    }
}
