package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Partitions change hands: by joining and leaving, by a kill beside a survivor, and behind the back of a stalled owner. */
class RouterTakeoverIT {

    private static final int STALLS = Integer.getInteger("hereabouts.router.stalls", 4);
    private static final Duration START = Duration.ofSeconds(60);

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

    @Test
    void shouldMissNothingWhilePartitionsMoveBetweenTwoRouters() throws Exception {
        long seed = newSeed();
        TopicCatalogue topics = new TopicCatalogue("two.", 6, (short) 1, Duration.ofHours(1));
        try (Trial trial = new Trial(kafka, topics, seed)) {
            Router first = launch(topics);
            first.awaitRunning(START);
            changeAndPublish(trial, 3);
            Router second = launch(topics);
            changeAndPublish(trial, 10);
            second.awaitRunning(START);
            changeAndPublish(trial, 3);
            first.close();
            changeAndPublish(trial, 6);
            try (RouterProcess third = RouterProcess.prepare(kafka, topics, true, Guarantee.AT_LEAST_ONCE)) {
                third.go();
                third.awaitRunning(START);
                changeAndPublish(trial, 6);
                third.kill();
                changeAndPublish(trial, 6);
            }
            trial.settle();
            second.close();
            System.out.println("RouterTakeoverIT, two routers: " + trial.figures());
            assertThat(trial.missed()).isEmpty();
            trial.assertNothingOutsideFilters();
        }
    }

    /** Both routers have partitions; each in turn is stopped until the other has taken all, and woken amid publications. */
    @Test
    void shouldMissNothingWhenAStalledOwnerWakes() throws Exception {
        long seed = newSeed();
        TopicCatalogue topics = new TopicCatalogue("stall.", 4, (short) 1, Duration.ofHours(1));
        try (Trial trial = new Trial(kafka, topics, seed);
                RouterProcess a = RouterProcess.prepare(kafka, topics, true, Guarantee.AT_LEAST_ONCE);
                RouterProcess b = RouterProcess.prepare(kafka, topics, true, Guarantee.AT_LEAST_ONCE)) {
            a.go();
            a.awaitRunning(START);
            b.go();
            b.awaitRunning(START);
            for (int stall = 0; stall < STALLS; stall++) {
                RouterProcess stalled = stall % 2 == 0 ? a : b;
                changeAndPublish(trial, 2);
                stalled.stall();
                // Kafka acknowledges these; the stalled one may already hold some in its buffers
                trial.publishSome();
                // returns once the other router has taken over and applied, whatever partitions that needs
                changeAndPublish(trial, 3);
                stalled.wake();
                changeAndPublish(trial, 4);
            }
            trial.settle();
            System.out.println("RouterTakeoverIT, stalled owners: stalls " + STALLS + ", " + trial.figures());
            assertThat(trial.missed()).isEmpty();
            trial.assertNothingOutsideFilters();
        }
    }

    private static void changeAndPublish(Trial trial, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            if (i % 3 == 1) {
                trial.replaceNeighborhood();
            }
            if (i % 3 == 2) {
                trial.removeNeighborhood();
            }
            trial.addNeighborhood();
            trial.publishSome();
        }
    }

    private static Router launch(TopicCatalogue topics) {
        RouterConfig config = RouterMain.quick(kafka, topics, Guarantee.AT_LEAST_ONCE);
        return Router.launch(config, new SimpleMeterRegistry());
    }

    private static long newSeed() {
        long seed = Long.getLong("hereabouts.router.seed", new Random().nextLong());
        System.out.println("RouterTakeoverIT: random seed " + seed);
        return seed;
    }
}
