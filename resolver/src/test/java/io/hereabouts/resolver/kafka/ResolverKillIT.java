package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.postgis.PostgisWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.hereabouts.testkit.postgis.TestPostgis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Resolvers in processes of their own are killed, added and stopped while two edges join and leave at random, and where
 * they are killed the world changes all the time. In the end {@code filters} is what a resolution from scratch gives, both
 * to readers that go by stamps and to readers that find the last record only, and every request that an edge still cares
 * for has its answer.
 */
class ResolverKillIT {

    private static final int PARTITIONS = 6;
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final int KILLS = Integer.getInteger("hereabouts.resolver.kills", 10);

    private static TestKafka broker;
    private static KafkaConnection kafka;

    private static final long SEED = Long.getLong("hereabouts.resolver.kills.seed", 5);

    private final Random random = new Random(SEED);

    @BeforeAll
    static void startKafka() {
        Awaitility.pollInSameThread();
        broker = TestKafka.start(Map.of("group.min.session.timeout.ms", "1000"));
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stopKafka() {
        broker.close();
    }

    @Test
    void shouldFinishWhateverItWasKilledAt() throws Exception {
        TopicCatalogue topics = topics("kill.");
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = ResolverProcess.world(database.url(), database.user(), database.password());
                KafkaConsumer<byte[], byte[]> filters = new KafkaConsumer<>(kafka.consumer("ends"));
                Changes changes = new Changes(world, SEED);
                Traffic a = new Traffic(new TestEdge(kafka, topics, "a"), SEED + 1);
                Traffic b = new Traffic(new TestEdge(kafka, topics, "b"), SEED + 2)) {
            ResolverProcess resolver = ResolverProcess.start(kafka, topics, LINGER, SESSION, database);
            try {
                for (int i = 0; i < KILLS; i++) {
                    // some at once when it takes over, some in the middle of its work
                    long records = records(filters, topics);
                    long more = 1L + random.nextInt(random.nextInt(3) == 0 ? 3 : 300);
                    await().atMost(Duration.ofSeconds(60))
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> records(filters, topics) >= records + more);
                    resolver.kill();
                    resolver = ResolverProcess.start(kafka, topics, LINGER, SESSION, database);
                }
                changes.stop();
                finish(topics, world, a, b);
                System.out.printf(
                        "%s: seed %d, %d kills, %d changes of the world%n", topics.prefix(), SEED, KILLS, changes.made);
            } finally {
                resolver.kill();
            }
        }
    }

    /** How many records {@code filters} has had. */
    private static long records(KafkaConsumer<byte[], byte[]> consumer, TopicCatalogue topics) {
        return consumer.endOffsets(WholeTopic.partitions(topics.filters(), PARTITIONS)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void shouldDivideTheWorkAndOutliveAStalledOwner() throws Exception {
        TopicCatalogue topics = topics("two.");
        try (Traffic a = new Traffic(new TestEdge(kafka, topics, "a"), 3);
                Traffic b = new Traffic(new TestEdge(kafka, topics, "b"), 4);
                ResolverProcess first = ResolverProcess.start(kafka, topics, LINGER, SESSION)) {
            awaitAnswers(100, a, b);
            try (ResolverProcess second = ResolverProcess.start(kafka, topics, LINGER, SESSION)) {
                for (int i = 0; i < 2; i++) {
                    awaitAnswers(200, a, b);
                    // longer than the session timeout: the other one takes over, then this one wakes up
                    first.stall();
                    awaitAnswersOfEachPartition(a, b);
                    first.wake();
                    awaitAnswers(200, a, b);
                }
                assertThat(first.isAlive() && second.isAlive()).isTrue();
            }
            finish(topics, ResolverProcess.world(), a, b);
        }
    }

    private static void awaitAnswers(int more, Traffic... traffic) {
        int before = count(traffic);
        await().atMost(Duration.ofSeconds(60)).until(() -> count(traffic) >= before + more);
    }

    /** Requests made from now on are answered whatever partition they are in: somebody owns each. */
    private static void awaitAnswersOfEachPartition(Traffic... traffic) {
        List<Long> requests = new ArrayList<>();
        for (Traffic t : traffic) {
            for (int zone = 0; zone < 30; zone++) {
                requests.add(t.edge.join(TestCity.sensorsIn("zone/" + zone), "probe"));
            }
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> requests.stream()
                .allMatch(r -> traffic[0].edge.answers.containsKey(r) || traffic[1].edge.answers.containsKey(r)));
    }

    private static int count(Traffic... traffic) {
        int count = 0;
        for (Traffic t : traffic) {
            count += t.edge.answers.size();
        }
        return count;
    }

    private static void finish(TopicCatalogue topics, WorldModel world, Traffic a, Traffic b) {
        a.stop();
        b.stop();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(a.unanswered()).isEmpty();
            assertThat(b.unanswered()).isEmpty();
        });
        a.withdrawRefused();
        b.withdrawRefused();
        Map<String, Set<String>> expected = TestEdge.expected(world, PARTITIONS, a.edge, b.edge);
        assertThat(expected).isNotEmpty();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            FiltersView view = FiltersView.of(TestEdge.dump(kafka, topics.filters(), PARTITIONS));
            assertThat(view.byPlace()).isEqualTo(expected);
            assertThat(view.byStamp()).isEqualTo(expected);
        });
        System.out.printf(
                "%s: %d requests, %d answers, %d keys in filters%n",
                topics.prefix(), a.sent + b.sent, count(a, b), expected.size());
    }

    private static TopicCatalogue topics(String prefix) throws Exception {
        TopicCatalogue topics = new TopicCatalogue(prefix, PARTITIONS, (short) 1, Duration.ofDays(1));
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed());
        }
        return topics;
    }

    /** Does something again and again, at a random pace, until it is stopped. */
    private abstract static class Pacer implements AutoCloseable {

        final Random random;
        private final int mostMillis;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Thread thread = new Thread(this::run);
        private volatile @Nullable Exception failure;

        Pacer(long seed, int mostMillis) {
            this.random = new Random(seed);
            this.mostMillis = mostMillis;
        }

        void start() {
            thread.start();
        }

        abstract void once() throws Exception;

        private void run() {
            try {
                while (!stopped.get()) {
                    once();
                    Thread.sleep(random.nextInt(mostMillis));
                }
            } catch (Exception e) {
                failure = e;
            }
        }

        void stop() {
            stopped.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(failure).isNull();
        }

        @Override
        public void close() {
            stop();
        }
    }

    /** The world changes. */
    private static final class Changes extends Pacer {

        private final WorldModel world;
        int made;

        Changes(WorldModel world, long seed) throws WorldUnavailableException {
            super(seed, 60);
            this.world = world;
            world.apply(ChangeSet.upsert(TestCity.entities(ResolverProcess.SEED, ResolverProcess.SENSORS)));
            start();
        }

        @Override
        void once() throws WorldUnavailableException {
            world.apply(TestCity.change(random));
            made++;
        }
    }

    /** An edge that joins and leaves. */
    private static final class Traffic extends Pacer {

        final TestEdge edge;
        final Map<Interest, Long> waiting = new ConcurrentHashMap<>();
        int sent;

        Traffic(TestEdge edge, long seed) {
            super(seed, 12);
            this.edge = edge;
            start();
        }

        @Override
        void once() {
            String zone = random.nextInt(20) == 0 ? "zone/empty" : "zone/" + random.nextInt(30);
            NeighborhoodDescriptor descriptor = TestCity.sensorsIn(zone);
            String topicFilter = "air/" + random.nextInt(3);
            Interest interest = TestCity.interest(descriptor, topicFilter, edge.id);
            if (edge.held.containsKey(interest) && random.nextBoolean()) {
                waiting.remove(interest);
                edge.leave(interest);
            } else {
                waiting.put(interest, edge.join(descriptor, topicFilter));
                sent++;
            }
        }

        /** What was refused is not held: an edge takes it back. */
        void withdrawRefused() {
            waiting.forEach((interest, request) -> {
                if (edge.answer(request).getReasonCode() != 0) {
                    edge.leave(interest);
                }
            });
        }

        /** Requests that this edge still waits for. */
        Set<Long> unanswered() {
            Set<Long> requests = ConcurrentHashMap.newKeySet();
            requests.addAll(waiting.values());
            requests.removeAll(edge.answers.keySet());
            return requests;
        }

        @Override
        public void close() {
            super.close();
            edge.close();
        }
    }
}
