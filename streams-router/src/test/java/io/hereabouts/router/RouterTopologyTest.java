package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RouterTopologyTest {

    private static final NeighborhoodId CENTRE = NeighborhoodId.ofCanonical("centre");
    private static final NeighborhoodId SOUTH = NeighborhoodId.ofCanonical("south");

    private final SteppedRouter router = new SteppedRouter();

    @AfterEach
    void close() {
        router.close();
    }

    @Test
    void shouldDeliverWhatMatchesAndNothingElse() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "speed/+", "e1", 1);

        router.publish("car-1", "speed/now", "match");
        router.publish("car-1", "fuel", "other topic");
        router.publish("car-2", "speed/now", "other entity");

        EdgeBook e1 = router.readEdge("e1");
        assertThat(e1.received()).containsOnlyKeys("match");
        assertThat(e1.received("match").handles()).containsExactly(CENTRE.handle());
        assertThat(router.count("hereabouts.router.publications")).isEqualTo(3);
        assertThat(router.count("hereabouts.router.deliveries")).isEqualTo(1);
        assertThat(router.count("hereabouts.router.unmatched")).isEqualTo(2);
    }

    @Test
    void shouldSendOneDeliveryToAnEdgeForSeveralNeighborhoods() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.slice(SOUTH, 1, "car-1", "car-2");
        router.interest(CENTRE, "speed/+", "e1", 1);
        router.interest(CENTRE, "#", "e1", 1);
        router.interest(SOUTH, "#", "e1", 1);
        router.interest(NeighborhoodId.EVERYWHERE, "speed/#", "e1", 1);
        router.interest(SOUTH, "#", "e2", 1);

        router.publish("car-1", "speed/now", "both");

        EdgeBook e1 = router.readEdge("e1");
        assertThat(e1.received("both").handles())
                .containsExactlyInAnyOrder(CENTRE.handle(), SOUTH.handle(), NeighborhoodId.EVERYWHERE.handle());
        assertThat(e1.repeats()).isZero();
        assertThat(router.readEdge("e2").received("both").handles()).containsExactly(SOUTH.handle());
        assertThat(router.count("hereabouts.router.deliveries")).isEqualTo(2);
    }

    @Test
    void shouldDeliverToPlainSubscribersWhateverTheEntity() {
        router.start();
        router.interest(NeighborhoodId.EVERYWHERE, "speed/#", "e1", 1);
        router.publish("unknown to the world", "speed", "plain");
        assertThat(router.readEdge("e1").received("plain").handles()).containsExactly(0L);
    }

    @Test
    void shouldReportEachInterestThatIsActive() {
        router.start();
        long slice = router.slice(CENTRE, 1, "car-1");
        long interest = router.interest(CENTRE, "speed/+", "e1", 1);
        assertThat(interest).isEqualTo(slice + 1);
        assertThat(router.readEdge("e1").hasApplied(Map.of(0, interest))).isTrue();

        long again = router.interest(CENTRE, "speed/+", "e1", 1);
        assertThat(router.readEdge("e1").hasApplied(Map.of(0, again)))
                .as("a repeated request is answered though nothing changes")
                .isTrue();
    }

    @Test
    void shouldNotReportAnInterestThatWasRemovedByALaterOwner() {
        router.start();
        router.slice(CENTRE, 2, "car-1");
        router.removeInterest(CENTRE, "#", "e1", 2);
        router.interest(CENTRE, "#", "e1", 1);
        router.publish("car-1", "a", "nobody is interested");
        assertThat(router.readEdge("e1").appliedCount()).isZero();
        assertThat(router.readEdge("e1").received()).isEmpty();
    }

    @Test
    void shouldReplaceASliceAsAWhole() {
        router.start();
        router.slice(CENTRE, 1, "car-1", "car-2");
        router.interest(CENTRE, "#", "e1", 1);
        router.slice(CENTRE, 2, "car-2", "car-3");
        router.publish("car-1", "a", "old");
        router.publish("car-2", "a", "kept");
        router.publish("car-3", "a", "new");
        assertThat(router.readEdge("e1").received()).containsOnlyKeys("kept", "new");
    }

    @Test
    void shouldLoadBeforeItRoutes() {
        router.loads(Keys.slice(CENTRE), FilterWriter.slice(1, 1, 1, List.of("car-1")));
        router.loads(
                Keys.filterInterest(new Interest(CENTRE, TopicFilter.parse("#"), EdgeId.of("e1"))),
                FilterWriter.interest(1, 2));
        router.loads("neither slice nor interest".getBytes(StandardCharsets.UTF_8), new byte[] {1});
        router.start();
        router.publish("car-1", "a", "match");
        assertThat(router.readEdge("e1").received()).containsOnlyKeys("match");
        assertThat(router.count("hereabouts.router.load.skipped")).isEqualTo(1);
    }

    @Test
    void shouldSendWhatIsSharedToOneEdgeOfEachGroup() {
        router.start();
        String[] cars = IntStream.range(0, 100).mapToObj(i -> "car-" + i).toArray(String[]::new);
        router.slice(CENTRE, 1, cars);
        router.interest(CENTRE, "$share/g/#", "e1", 1);
        router.interest(CENTRE, "$share/g/#", "e2", 1);
        router.interest(CENTRE, "$share/h/#", "e2", 1);
        router.interest(CENTRE, "#", "e1", 1);
        for (String car : cars) {
            router.publish(car, "speed", car);
        }
        long g = SteppedRouter.interestOf(CENTRE, "$share/g/#", "e1").group().handle();
        long h = SteppedRouter.interestOf(CENTRE, "$share/h/#", "e1").group().handle();
        EdgeBook e1 = router.readEdge("e1");
        EdgeBook e2 = router.readEdge("e2");
        assertThat(e1.received()).containsOnlyKeys(cars);
        assertThat(e2.received()).containsOnlyKeys(cars);
        int toE1 = 0;
        for (String car : cars) {
            boolean first = e1.received(car).handles().contains(g);
            toE1 += first ? 1 : 0;
            assertThat(e2.received(car).handles())
                    .containsExactlyInAnyOrder(first ? new Long[] {h} : new Long[] {g, h});
            assertThat(e1.received(car).handles()).contains(CENTRE.handle()).hasSize(first ? 2 : 1);
        }
        assertThat(toE1).isBetween(20, 80);
    }

    @Test
    void shouldSendNothingOfAGroupToAnEdgeThatIsSilent() {
        router.start();
        router.edgeIsSilent("e1");
        router.slice(CENTRE, 1, "car-1", "car-2", "car-3", "car-4", "car-5", "car-6");
        router.interest(CENTRE, "$share/g/#", "e1", 1);
        router.interest(CENTRE, "$share/g/#", "e2", 1);
        for (int i = 1; i <= 6; i++) {
            router.publish("car-" + i, "speed", "to " + i);
        }
        assertThat(router.readEdge("e1").received()).isEmpty();
        assertThat(router.readEdge("e2").received()).hasSize(6);
    }

    @Test
    void shouldHandOnToTheGroupAndNobodyElse() throws Exception {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "#", "e1", 1);
        router.interest(CENTRE, "$share/g/#", "e1", 1);
        router.interest(CENTRE, "$share/g/#", "e2", 1);
        router.interest(CENTRE, "$share/h/#", "e2", 1);
        Interest tried = SteppedRouter.interestOf(CENTRE, "$share/g/#", "e2");
        Headers headers = new RecordHeaders().add(HandedOn.HEADER, new HandedOn(tried, 1).bytes());
        byte[] car = "car-1".getBytes(StandardCharsets.UTF_8);
        router.publication(car, TestPublisher.publication("speed", "again"), headers, 0);

        List<TestRecord<byte[], byte[]>> sent = router.sent("e1").stream()
                .filter(record -> HandedOn.isIn(record.headers()))
                .toList();
        assertThat(sent).hasSize(1);
        assertThat(HandedOn.timesIn(sent.get(0).headers())).isEqualTo(1);
        assertThat(Framing.decode(sent.get(0).value(), Delivery.class).getHandles())
                .containsExactly(tried.group().handle());
        assertThat(router.sent("e2")).noneMatch(record -> HandedOn.isIn(record.headers()));
        assertThat(router.count("hereabouts.router.handed.on")).isEqualTo(1);

        router.removeInterest(CENTRE, "$share/g/#", "e1", 2);
        router.removeInterest(CENTRE, "$share/g/#", "e2", 2);
        router.publication(car, TestPublisher.publication("speed", "nobody's"), headers, 0);
        assertThat(router.count("hereabouts.router.dropped", "group_gone")).isEqualTo(1);

        router.publication(
                car,
                TestPublisher.publication("speed", "bad"),
                new RecordHeaders().add(HandedOn.HEADER, new byte[1]),
                0);
        assertThat(router.deadLetters()).hasSize(1);
    }

    @Test
    void shouldCountWhatAnEdgeWithoutKafkaTopicDoesNotGet() {
        router.start();
        router.edgeIsGone("gone");
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "#", "gone", 1);
        router.publish("car-1", "a", "nowhere");
        assertThat(router.count("hereabouts.router.dropped", "edge_gone")).isEqualTo(2);
        assertThat(router.topicsWritten()).isEmpty();
    }

    @Test
    void shouldCountADeliveryThatKafkaWouldNotTakeAndGoOn() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "#", "e1", 1);
        router.publish("car-1", "a", "x".repeat(TopicCatalogue.MAX_DELIVERY_BYTES));
        assertThat(router.count("hereabouts.router.dropped", "delivery_too_large"))
                .isEqualTo(1);
        router.publish("car-1", "a", "goes on");
        assertThat(router.readEdge("e1").received()).containsOnlyKeys("goes on");
    }

    @Test
    void shouldSkipProbes() {
        router.start();
        router.filters(Keys.probe(), null);
        router.publications(Keys.probe(), null);
        assertThat(router.topicsWritten()).isEmpty();
        assertThat(router.count("hereabouts.router.publications")).isZero();
    }

    @Test
    void shouldPutAsideWhatCannotBeDecodedAndGoOn() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "#", "e1", 1);
        byte[] car = "car-1".getBytes(StandardCharsets.UTF_8);
        byte[] good = TestPublisher.publication("a", "x");

        router.publications(null, good);
        router.publications(car, null);
        router.publications(new byte[0], good);
        router.publications(new byte[257], good);
        router.publications(car, new byte[] {'{', '}'});
        router.publications(car, new byte[] {0, 0, 0, 0, 99, 1, 2});
        router.publications(car, FilterWriter.interest(1, 1));
        router.filters(null, FilterWriter.interest(1, 1));
        router.filters(Keys.slice(CENTRE), new byte[] {0, 0, 0, 0, 3, 1});
        router.filters(Keys.slice(CENTRE), null);
        router.filters(Keys.slice(NeighborhoodId.EVERYWHERE), FilterWriter.slice(1, 1, 1, List.of("x")));
        router.filters("S|no neighborhood".getBytes(StandardCharsets.UTF_8), FilterWriter.interest(1, 1));

        List<TestRecord<byte[], byte[]>> dead = router.deadLetters();
        assertThat(dead).hasSize(12);
        assertThat(dead).allSatisfy(d -> assertThat(header(d, "reason")).isEqualTo("undecodable"));
        assertThat(dead.get(4).value()).isEqualTo(new byte[] {'{', '}'});
        assertThat(dead.get(4).key()).isEqualTo(car);
        assertThat(header(dead.get(4), "source-topic"))
                .isEqualTo(router.topics().publications());
        assertThat(header(dead.get(4), "source-partition")).isEqualTo("0");
        assertThat(header(dead.get(4), "source-offset")).isEqualTo("4");
        assertThat(header(dead.get(4), "detail")).contains("magic 0");
        assertThat(router.count("hereabouts.router.dead_letters", "undecodable"))
                .isEqualTo(12);

        router.publish("car-1", "a", "goes on");
        assertThat(router.readEdge("e1").received()).containsOnlyKeys("goes on");
    }

    @Test
    void shouldPutAsideWhatIsInAPartitionItsEntityDoesNotBelongTo() {
        router.partitions(8);
        router.start();
        router.interest(NeighborhoodId.EVERYWHERE, "#", "e1", 1);
        String here = SteppedRouter.entityOf(0, 8);
        String elsewhere = SteppedRouter.entityOf(3, 8);

        router.publish(here, "a", "right");
        router.publish(elsewhere, "a", "wrong");

        assertThat(router.readEdge("e1").received()).containsOnlyKeys("right");
        List<TestRecord<byte[], byte[]>> dead = router.deadLetters();
        assertThat(dead).hasSize(1);
        assertThat(header(dead.get(0), "reason")).isEqualTo("misrouted");
        assertThat(header(dead.get(0), "detail")).contains("partition 3");
        assertThat(router.count("hereabouts.router.dead_letters", "misrouted")).isEqualTo(1);
    }

    @Test
    void shouldNotCareForTimestampsOrHeaders() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "#", "e1", 1);
        byte[] car = "car-1".getBytes(StandardCharsets.UTF_8);
        RecordHeaders headers = new RecordHeaders();
        headers.add("trace", new byte[] {1});
        router.publication(car, TestPublisher.publication("a", "late"), headers, Long.MAX_VALUE / 2);
        router.publication(car, TestPublisher.publication("a", "early"), headers, 0);
        router.publish("car-1", "a", "now");
        assertThat(router.sent("e1")).hasSize(4).allSatisfy(sent -> assertThat(sent.headers())
                .isEmpty());
    }

    @Test
    void shouldTakeRecordsWithoutTimestamp() {
        ConsumerRecord<Object, Object> none = new ConsumerRecord<>("t", 0, 0, null, null);
        assertThat(none.timestamp()).isEqualTo(-1);
        assertThat(RouterTopology.NEVER_NEGATIVE.extract(none, 5)).isZero();
        assertThat(RouterTopology.FIRST.extract(none, 5)).isZero();
    }

    @Test
    void shouldSayNothingAppliedAfterAForeignOwner() {
        router.start();
        router.slice(CENTRE, 1, "car-1");
        long before = router.interest(CENTRE, "a", "e1", 1);
        long still = router.interest(CENTRE, "b", "e1", 2);
        assertThat(router.readEdge("e1").hasApplied(Map.of(0, still))).isTrue();
        assertThat(still).isGreaterThan(before);

        router.owner("another router");
        router.interest(CENTRE, "c", "e1", 3);
        router.interest(CENTRE, "b", "e1", 4);

        assertThat(router.readEdge("e1").appliedCount()).isEqualTo(2);
        assertThat(router.count("hereabouts.router.deposed")).isEqualTo(1);
        router.publish("car-1", "c", "still routed, the edge decides");
        assertThat(router.readEdge("e1").received()).hasSize(1);
    }

    @Test
    void shouldNotBeDeposedByAnOwnerBeforeItself() {
        router.ownerIsAt(1);
        router.startAt(0);
        router.owner("the one before");
        router.owner(router.identity());
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "a", "e1", 1);
        assertThat(router.readEdge("e1").appliedCount()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeItsOwnEarlierAttemptForASuccessor() {
        router.start();
        router.owner(router.identity());
        router.slice(CENTRE, 1, "car-1");
        router.interest(CENTRE, "a", "e1", 1);
        assertThat(router.readEdge("e1").appliedCount()).isEqualTo(1);
    }

    private static String header(TestRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
