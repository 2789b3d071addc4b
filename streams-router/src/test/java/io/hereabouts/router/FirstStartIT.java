package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A router that has never run meets 100,000 filter records and publications that wait. */
class FirstStartIT {

    private static final int NEIGHBORHOODS = 50_000;
    private static final int PUBLICATIONS = 5_000;
    private static final Duration LONG = Duration.ofSeconds(90);

    private static TestKafka broker;
    private static KafkaConnection kafka;

    @BeforeAll
    static void start() {
        broker = TestKafka.start();
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldRouteWhatWaitedAndAnswerInterestsThatWaited() throws Exception {
        TopicCatalogue topics = new TopicCatalogue("first.", 4, (short) 1, Duration.ofHours(1));
        try (TestEdge edge = prepare(topics, NEIGHBORHOODS)) {
            Router router = Router.launch(RouterConfig.defaults(kafka, topics), new SimpleMeterRegistry());
            edge.await("all applied", LONG, () -> edge.book().appliedCount() == NEIGHBORHOODS);
            edge.await("all routed", LONG, () -> edge.book().received().size() == PUBLICATIONS);
            router.close();
            System.out.println("FirstStartIT: filter records " + 2 * NEIGHBORHOODS + ", publications waiting "
                    + PUBLICATIONS + ", missed 0");
            for (int i = 0; i < PUBLICATIONS; i++) {
                assertThat(edge.book().received("p" + i).handles())
                        .containsExactly(neighborhood(i).handle());
            }
        }
    }

    /** As after Kafka forgot half of the group's offsets: nothing of filters follows live, the load alone knows them. */
    @Test
    void shouldRouteWhatWaitedThoughTheGroupIsAtTheEndOfFilters() throws Exception {
        assertThat(receivedFromTheEndOfFilters("end.", kafka -> kafka)).isEqualTo(PUBLICATIONS);
    }

    @Test
    void shouldMissAllOfThatWithoutTheLoad() throws Exception {
        int received = receivedFromTheEndOfFilters("endcontrol.", LoadSwitchedOff::new);
        System.out.println("FirstStartIT control, load switched off: missed " + (PUBLICATIONS - received));
        assertThat(received).isZero();
    }

    private static int receivedFromTheEndOfFilters(String prefix, Router.LoaderChoice loader) throws Exception {
        TopicCatalogue topics = new TopicCatalogue(prefix, 4, (short) 1, Duration.ofHours(1));
        RouterConfig config = RouterConfig.builder(kafka, topics)
                .commitInterval(Duration.ofMillis(100))
                .build();
        try (TestEdge edge = prepare(topics, PUBLICATIONS);
                GroupProgress group = new GroupProgress(kafka, topics)) {
            group.moveToEndOfFilters();
            try (Router router = Router.launch(config, new SimpleMeterRegistry(), loader)) {
                router.awaitRunning(LONG);
                Awaitility.await().atMost(LONG).until(group::hasRoutedAll);
            }
            edge.catchUp();
            return edge.book().received().size();
        }
    }

    private static TestEdge prepare(TopicCatalogue topics, int neighborhoods) throws Exception {
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed());
        }
        TestEdge edge = TestEdge.open("e1", kafka, topics);
        try (FilterWriter resolver = new FilterWriter(kafka, topics);
                TestPublisher publisher = new TestPublisher(kafka, topics)) {
            for (int i = 0; i < neighborhoods; i++) {
                resolver.neighborhood(neighborhood(i), Set.of("entity-" + i));
                resolver.interestLater(neighborhood(i), "t/#", "e1");
            }
            resolver.flush();
            for (int i = 0; i < PUBLICATIONS; i++) {
                var unused = publisher.publish("entity-" + i, "t/" + i % 7, "p" + i);
            }
            publisher.flush();
        }
        return edge;
    }

    private static NeighborhoodId neighborhood(int i) {
        return NeighborhoodId.ofCanonical("n" + i);
    }
}
