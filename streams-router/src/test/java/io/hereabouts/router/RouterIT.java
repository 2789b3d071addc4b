package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RouterIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final NeighborhoodId CENTRE = NeighborhoodId.ofCanonical("centre");
    private static final NeighborhoodId SOUTH = NeighborhoodId.ofCanonical("south");

    private static TestKafka broker;
    private static KafkaConnection kafka;

    @BeforeAll
    static void start() {
        broker = TestKafka.start(Map.of("group.min.session.timeout.ms", "500"));
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static TopicCatalogue topics(String prefix) throws Exception {
        TopicCatalogue topics = new TopicCatalogue(prefix, 3, (short) 1, Duration.ofHours(1));
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed());
        }
        return topics;
    }

    @Test
    void shouldRouteEachPublicationToTheEdgesItMatches() throws Exception {
        TopicCatalogue topics = topics("routes.");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Router router = Router.launch(RouterConfig.defaults(kafka, topics), meters);
                FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics);
                TestEdge e2 = TestEdge.open("e2", kafka, topics)) {
            router.awaitRunning(SOON);
            assertThat(router.notReady()).isEmpty();
            assertThat(router.dead()).isEmpty();

            resolver.neighborhood(CENTRE, List.of("car-1", "car-2", "car-3", "car-4"));
            resolver.neighborhood(SOUTH, List.of("car-2", "car-5"));
            e1.awaitApplied(resolver.interest(CENTRE, "speed/+", "e1"), SOON);
            e1.awaitApplied(resolver.interest(SOUTH, "speed/#", "e1"), SOON);
            e2.awaitApplied(resolver.interest(NeighborhoodId.EVERYWHERE, "#", "e2"), SOON);

            publisher.publishNow("car-1", "speed/now", "one neighborhood");
            publisher.publishNow("car-2", "speed/now", "two neighborhoods");
            publisher.publishNow("car-2", "fuel", "no topic filter");
            publisher.publishNow("car-9", "speed/now", "no entity");
            publisher.publishNow("car-5", "speed", "the parent of #");

            e2.await("all for the plain edge", SOON, () -> e2.book().received().size() == 5);
            e1.await("three for the other", SOON, () -> e1.book().received().size() == 3);
            assertThat(e1.book().received("one neighborhood").handles()).containsExactly(CENTRE.handle());
            assertThat(e1.book().received("two neighborhoods").handles())
                    .containsExactlyInAnyOrder(CENTRE.handle(), SOUTH.handle());
            assertThat(e1.book().received())
                    .containsOnlyKeys("one neighborhood", "two neighborhoods", "the parent of #");
            assertThat(e2.book().received("no entity").handles()).containsExactly(0L);
            assertThat(e1.book().repeats() + e2.book().repeats()).isZero();
        }
    }

    @Test
    void shouldRouteUnderExactlyOnceToo() throws Exception {
        TopicCatalogue topics = topics("exactly.");
        RouterConfig config = RouterConfig.builder(kafka, topics)
                .guarantee(RouterConfig.Guarantee.EXACTLY_ONCE)
                .commitInterval(Duration.ofMillis(50))
                .build();
        try (Router router = Router.launch(config, new SimpleMeterRegistry());
                FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            router.awaitRunning(SOON);
            resolver.neighborhood(CENTRE, List.of("car-1", "car-2", "car-3", "car-4"));
            e1.awaitApplied(resolver.interest(CENTRE, "#", "e1"), SOON);
            publisher.publishNow("car-1", "a", "one");
            publisher.publishNow("car-2", "a", "two");
            e1.await("two deliveries", SOON, () -> e1.book().received().size() == 2);
        }
    }

    @Test
    void shouldRouteAnEntityOfTenThousandNeighborhoods() throws Exception {
        TopicCatalogue topics = topics("hot.");
        int neighborhoods = 10_000;
        try (Router router = Router.launch(RouterConfig.defaults(kafka, topics), new SimpleMeterRegistry());
                FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            router.awaitRunning(SOON);
            Map<Integer, Long> last = Map.of();
            for (int n = 0; n < neighborhoods; n++) {
                NeighborhoodId id = NeighborhoodId.ofCanonical("n" + n);
                resolver.neighborhood(id, List.of("hot", "other-" + n));
                if (n == neighborhoods - 1) {
                    last = resolver.interest(id, "#", "e1");
                } else {
                    resolver.interestLater(id, "#", "e1");
                }
            }
            e1.awaitApplied(last, SOON);
            publisher.publishNow("hot", "a", "in all");
            publisher.publishNow("other-1", "a", "in one");
            e1.await("both", SOON, () -> e1.book().received().size() == 2);
            assertThat(e1.book().received("in all").handles()).hasSize(neighborhoods);
            assertThat(e1.book().received("in one").handles())
                    .containsExactly(NeighborhoodId.ofCanonical("n1").handle());

            // and every second publication is about it
            int more = 400;
            for (int n = 0; n < more; n++) {
                var unused = publisher.publish(n % 2 == 0 ? "hot" : "other-" + n, "a", String.valueOf(n));
            }
            e1.await("all of them", SOON, () -> e1.book().received().size() == 2 + more);
            List<String> ofHot = e1.book().received().values().stream()
                    .filter(received -> received.entity().equals("hot"))
                    .map(EdgeBook.Received::payload)
                    .skip(1)
                    .toList();
            assertThat(ofHot)
                    .isEqualTo(IntStream.range(0, more / 2)
                            .mapToObj(n -> String.valueOf(2 * n))
                            .toList());
            assertThat(e1.book().repeats()).isZero();
        }
    }

    @Test
    void shouldPutAsideWhatItCannotRouteAndGoOn() throws Exception {
        TopicCatalogue topics = topics("dead.");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        byte[] good = TestPublisher.publication("a", "misplaced");
        String car = SteppedRouter.entityOf(1, 3);
        try (Router router = Router.launch(RouterConfig.defaults(kafka, topics), meters);
                FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            router.awaitRunning(SOON);
            resolver.raw(1, new byte[] {'S', '|', 'x'}, new byte[] {1, 2, 3});
            resolver.neighborhood(CENTRE, List.of(car));
            e1.awaitApplied(resolver.interest(CENTRE, "#", "e1"), SOON);
            publisher.raw(1, null, good);
            publisher.raw(1, utf8(car), null);
            publisher.raw(1, utf8(car), "{\"speed\": 3}".getBytes(StandardCharsets.UTF_8));
            RecordMetadata wrong = publisher.raw(2, utf8(car), good);
            publisher.publishNow(car, "a", "goes on");
            e1.await("what is right", SOON, () -> e1.book().received().containsKey("goes on"));
            assertThat(e1.book().received()).containsOnlyKeys("goes on");

            Map<String, ConsumerRecord<byte[], byte[]>> dead = deadLetters(topics, 5);
            assertThat(dead).containsKeys("filters-1", "publications-1", "publications-2");
            ConsumerRecord<byte[], byte[]> misrouted = Objects.requireNonNull(dead.get("publications-2"));
            assertThat(header(misrouted, "reason")).isEqualTo("misrouted");
            assertThat(header(misrouted, "source-offset")).isEqualTo(String.valueOf(wrong.offset()));
            assertThat(misrouted.key()).isEqualTo(utf8(car));
            assertThat(misrouted.value()).isEqualTo(good);
            assertThat(meters.get("hereabouts.router.dead_letters")
                            .tag("reason", "undecodable")
                            .counter()
                            .count())
                    .isEqualTo(4);
        }
    }

    @Test
    void shouldNotStallForAnEdgeWithoutKafkaTopicAndFindItWhenItComes() throws Exception {
        TopicCatalogue topics = topics("edges.");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Router router = Router.launch(RouterConfig.defaults(kafka, topics), meters);
                FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            router.awaitRunning(SOON);
            resolver.neighborhood(CENTRE, List.of("car-1"));
            resolver.interest(CENTRE, "#", "late");
            e1.awaitApplied(resolver.interest(CENTRE, "#", "e1"), SOON);
            publisher.publishNow("car-1", "a", "for one edge");
            e1.await("a delivery", SOON, () -> e1.book().received().size() == 1);
            assertThat(meters.get("hereabouts.router.dropped")
                            .tag("reason", "edge_gone")
                            .counter()
                            .count())
                    .isEqualTo(2);

            try (TestEdge late = TestEdge.open("late", kafka, topics)) {
                late.await("applied after a repeated request", SOON, () -> {
                    resolver.interestLater(CENTRE, "#", "late");
                    late.poll(Duration.ofMillis(200));
                    return late.book().appliedCount() > 0;
                });
                publisher.publishNow("car-1", "a", "for both");
                late.await("a delivery", SOON, () -> late.book().received().containsKey("for both"));
            }
        }
    }

    @Test
    void shouldRefuseToStartWithoutTheRightKafkaTopicsAndSayWhatToDo() throws Exception {
        TopicCatalogue missing = new TopicCatalogue("missing.", 3, (short) 1, Duration.ofHours(1));
        assertThatThrownBy(() -> Router.launch(RouterConfig.defaults(kafka, missing), new SimpleMeterRegistry()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("missing.publications", "missing.filters", "hereabouts topics init");

        topics("unequal.");
        TopicCatalogue more = new TopicCatalogue("unequal.", 4, (short) 1, Duration.ofHours(1));
        assertThatThrownBy(() -> Router.launch(RouterConfig.defaults(kafka, more), new SimpleMeterRegistry()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("has 3 partitions, expected 4", "hereabouts topics grow --partitions 4");
    }

    @Test
    void shouldCountWhatRetentionTookAndNotCallItselfReady() throws Exception {
        TopicCatalogue topics = topics("gap.");
        RouterConfig config = RouterConfig.defaults(kafka, topics);
        String car = SteppedRouter.entityOf(0, 3);
        try (FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            try (Router router = Router.launch(config, new SimpleMeterRegistry())) {
                router.awaitRunning(SOON);
                resolver.neighborhood(CENTRE, List.of(car));
                e1.awaitApplied(resolver.interest(CENTRE, "#", "e1"), SOON);
            }
            for (int i = 0; i < 5; i++) {
                publisher.publishNow(car, "a", "p" + i);
            }
            TopicPartition partition = new TopicPartition(topics.publications(), 0);
            try (Admin admin = Admin.create(kafka.base("test-retention"))) {
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4)))
                        .all()
                        .get();
            }
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            try (Router router = Router.launch(config, meters)) {
                router.awaitRunning(SOON);
                e1.await("what is left", SOON, () -> e1.book().received().size() == 2);
                assertThat(e1.book().received()).containsOnlyKeys("p3", "p4");
                assertThat(meters.get("hereabouts.router.dropped")
                                .tag("reason", "retention")
                                .counter()
                                .count())
                        .isEqualTo(3);
                assertThat(router.dead()).isEmpty();
                assertThat(router.notReady()).singleElement().asString().contains("3 publications");
            }
        }
    }

    private static long remaining(SimpleMeterRegistry meters) {
        return (long) meters.get("hereabouts.router.load.remaining").gauge().value();
    }

    @Test
    void shouldReplaceAThreadThatDiesAndLoadAgainAfterATimeout() throws Exception {
        TopicCatalogue topics = topics("dies.");
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        AtomicInteger loads = new AtomicInteger();
        AtomicLong remaining = new AtomicLong();
        Router.LoaderChoice troubled = kafkaLoader -> (partition, owner, sink) -> {
            int load = loads.incrementAndGet();
            if (load == 2) {
                throw new StreamsException("the second load fails");
            }
            long own = kafkaLoader.load(partition, owner, (key, value, headers) -> {
                remaining.accumulateAndGet(remaining(meters), Math::max);
                sink.accept(key, value, headers);
            });
            if (load == 4) {
                throw new TimeoutException("the fourth is late after it has read all");
            }
            return own;
        };
        try (FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics);
                TestEdge e1 = TestEdge.open("e1", kafka, topics)) {
            List<String> cars = List.of("car-1", "car-2", "car-3", "car-4", "car-5", "car-6");
            resolver.neighborhood(CENTRE, cars);
            resolver.interest(CENTRE, "#", "e1");
            try (GroupProgress group = new GroupProgress(kafka, topics)) {
                group.moveToEndOfFilters();
            }
            for (String car : cars) {
                publisher.publishNow(car, "a", car);
            }
            try (Router router = Router.launch(RouterConfig.defaults(kafka, topics), meters, troubled)) {
                e1.await("all", SOON, () -> e1.book().received().size() == cars.size());
                assertThat(loads.get()).isGreaterThanOrEqualTo(6);
                assertThat(meters.get("hereabouts.router.threads.died")
                                .counter()
                                .count())
                        .isEqualTo(1);
                router.awaitRunning(SOON);
                assertThat(router.notReady()).isEmpty();
                assertThat(remaining.get())
                        .as("to be loaded, while it was loaded")
                        .isPositive();
                assertThat(remaining(meters)).isZero();
            }
        }
    }

    @Test
    void shouldStopAndNotBeReadyWhenThreadsDieAgainAndAgain() throws Exception {
        TopicCatalogue topics = topics("stops.");
        Router.LoaderChoice broken = kafkaLoader -> (partition, owner, sink) -> {
            throw new StreamsException("never loads");
        };
        RouterConfig config = RouterConfig.builder(kafka, topics)
                .sessionTimeout(Duration.ofSeconds(1))
                .build();
        try (Router router = Router.launch(config, new SimpleMeterRegistry(), broken)) {
            Awaitility.await().dontCatchUncaughtExceptions().atMost(SOON).until(() -> router.dead()
                    .isPresent());
            assertThatThrownBy(() -> router.awaitRunning(SOON))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("never loads");
            assertThat(router.dead()).hasValueSatisfying(why -> assertThat(why).contains("never loads"));
        }
    }

    private static Map<String, ConsumerRecord<byte[], byte[]>> deadLetters(TopicCatalogue topics, int count) {
        Map<String, ConsumerRecord<byte[], byte[]>> bySource = new HashMap<>();
        AtomicInteger found = new AtomicInteger();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer("test-dead-letters"))) {
            TopicPartition partition = new TopicPartition(topics.deadLetters(), 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            Awaitility.await().atMost(SOON).until(() -> {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    if (!Keys.isProbe(record.key())) {
                        found.incrementAndGet();
                        String topic = header(record, "source-topic")
                                .substring(topics.prefix().length());
                        bySource.put(topic + "-" + header(record, "source-partition"), record);
                    }
                }
                return found.get() == count;
            });
        }
        return bySource;
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
