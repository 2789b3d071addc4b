package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
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
        broker = TestKafka.start();
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
            assertThat(router.health().ready()).isTrue();

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
}
