package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.avro.FilterPosition;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ResolverIT extends ResolverFixture {

    private static final ResolutionLimits LIMITS = new ResolutionLimits(100, Duration.ofSeconds(10));
    private static final List<PhysicalEntity> CITY = TestCity.entities(7, 2_000);
    private static final NeighborhoodDescriptor ZONE_55 = TestCity.sensorsIn("zone/55");
    private static final NeighborhoodDescriptor ZONE_44 = TestCity.sensorsIn("zone/44");
    private static final NeighborhoodDescriptor EMPTY = TestCity.sensorsIn("zone/empty");

    @Override
    InMemoryWorld newCity() {
        InMemoryWorld world = new InMemoryWorld(LIMITS);
        world.apply(ChangeSet.upsert(CITY));
        return world;
    }

    @Test
    void shouldPutSlicesBeforeInterestsInTheSamePartitions() throws Exception {
        launch(Duration.ofMinutes(1));

        Resolved resolved = edge.answer(edge.join(ZONE_55, "air/#"));

        List<ConsumerRecord<byte[], byte[]>> records = filters();
        assertThat(resolved.getReasonCode()).isZero();
        assertThat(resolved.getEntityCount())
                .isEqualTo(world.resolve(ZONE_55).selected().size())
                .isPositive();
        assertThat(resolved.getPositions()).hasSizeGreaterThan(1);
        for (FilterPosition position : resolved.getPositions()) {
            List<String> keys = records.stream()
                    .filter(r -> r.partition() == position.getPartition() && r.offset() <= position.getOffset())
                    .map(r -> new String(r.key(), StandardCharsets.UTF_8))
                    .filter(key -> !key.equals("!probe"))
                    .toList();
            assertThat(keys).containsExactly("S|" + ZONE_55.id(), "I|" + ZONE_55.id() + "|air/#|" + edge.id);
        }
        assertFilters();
    }

    @Test
    void shouldResolveOnceWhenTenAskAtOnce() throws Exception {
        CountDownLatch latch = world.hold(ZONE_55.id());
        launch(Duration.ofMinutes(1));

        List<Long> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(edge.join(ZONE_55, "air/" + i));
        }
        await().until(() -> world.resolutions.get() == 1);
        latch.countDown();

        assertThat(requests)
                .allSatisfy(r -> assertThat(edge.answer(r).getReasonCode()).isZero());
        assertThat(world.resolutions).hasValue(1);
        assertFilters();
        assertThat(edge.answer(edge.join(ZONE_55, "air/known")).getPositions()).isNotEmpty();
        assertThat(world.resolutions).hasValue(1);
    }

    @Test
    void shouldAnswerRepeatsWithNewPositions() throws Exception {
        launch(Duration.ofMinutes(1));

        Resolved first = edge.answer(edge.join(ZONE_55, "air/#"));
        Resolved repeat = edge.answer(edge.join(ZONE_55, "air/#"));

        assertThat(repeat.getPositions()).hasSameSizeAs(first.getPositions());
        for (int i = 0; i < first.getPositions().size(); i++) {
            assertThat(repeat.getPositions().get(i).getOffset())
                    .isGreaterThan(first.getPositions().get(i).getOffset());
        }
    }

    @Test
    void shouldAnswerAnEmptyNeighborhoodWithoutPositions() throws Exception {
        launch(Duration.ofMinutes(1));

        Resolved resolved = edge.answer(edge.join(EMPTY, "air/#"));

        assertThat(resolved.getReasonCode()).isZero();
        assertThat(resolved.getPositions()).isEmpty();
        assertThat(view().byPlace()).isEmpty();
    }

    @Test
    void shouldWritePlainInterestsToEveryPartition() throws Exception {
        launch(Duration.ZERO);
        Interest plain = new Interest(NeighborhoodId.EVERYWHERE, TopicFilter.parse("air/#"), edge.id);

        Resolved resolved = edge.answer(edge.send(plain, ""));

        assertThat(resolved.getPositions()).hasSize(PARTITIONS);
        assertThat(view().byPlace()).hasSize(PARTITIONS).allSatisfy((key, ids) -> assertThat(key)
                .contains("I|*|air/#|"));

        edge.leave(plain);
        await().untilAsserted(() -> assertThat(view().byPlace()).isEmpty());
    }

    @Test
    void shouldRefuseAndLeaveNothingBehind() throws Exception {
        launch(Duration.ofMinutes(1));
        NeighborhoodDescriptor unknown = TestCity.sensorsIn("zone/nowhere");
        NeighborhoodDescriptor crowded = TestCity.sensorsIn("zone/0");

        Resolved unknownReference =
                edge.answer(edge.send(TestCity.interest(unknown, "a", edge.id), unknown.canonicalText()));
        assertThat(unknownReference.getReasonCode()).isEqualTo(0x83);
        assertThat(unknownReference.getReasonString())
                .isEqualTo("$.stages[0].references: unknown entity 'zone/nowhere'");

        Resolved tooMany = edge.answer(edge.send(TestCity.interest(crowded, "a", edge.id), crowded.canonicalText()));
        assertThat(tooMany.getReasonCode()).isEqualTo(0x97);
        assertThat(tooMany.getReasonString()).contains("entities, the limit is 100");

        Resolved notCanonical = edge.answer(edge.send(TestCity.interest(ZONE_44, "a", edge.id), "{}"));
        assertThat(notCanonical.getReasonCode()).isEqualTo(0x83);
        assertThat(notCanonical.getReasonString()).contains("not the canonical form");

        world.down = true;
        Interest down = TestCity.interest(ZONE_55, "a", edge.id);
        Resolved unavailable = edge.answer(edge.send(down, ZONE_55.canonicalText()));
        assertThat(unavailable.getReasonCode()).isEqualTo(0x97);
        assertThat(unavailable.getReasonString()).contains("connection refused");

        edge.leave(down);
        edge.leave(TestCity.interest(unknown, "a", edge.id));
        world.down = false;
        assertThat(edge.answer(edge.join(ZONE_55, "b")).getReasonCode()).isZero();
        assertThat(count("hereabouts.resolver.requests", "outcome", "refused")).isEqualTo(4);
        assertFilters();
    }

    @Test
    void shouldNotHoldUpOthersWhileOneIsSlow() throws Exception {
        CountDownLatch latch = world.hold(ZONE_44.id());
        launch(Duration.ofMinutes(1));

        long slow = edge.join(ZONE_44, "air/#");
        await().until(() -> world.resolutions.get() == 1);
        edge.answer(edge.join(ZONE_55, "air/#"));
        assertThat(edge.answers).doesNotContainKey(slow);

        latch.countDown();
        assertThat(edge.answer(slow).getReasonCode()).isZero();
        assertFilters();
    }

    @Test
    void shouldDropInterestsAtOnceAndSlicesLater() throws Exception {
        launch(Duration.ofSeconds(1));
        edge.answer(edge.join(ZONE_55, "air/#"));
        edge.answer(edge.join(ZONE_55, "water/#"));

        edge.leave(TestCity.interest(ZONE_55, "air/#", edge.id));
        await().untilAsserted(() -> assertThat(view().keysOf(ZONE_55.id())).noneMatch(key -> key.contains("air/#")));
        assertFilters();

        edge.leave(TestCity.interest(ZONE_55, "water/#", edge.id));
        await().untilAsserted(() ->
                assertThat(view().keysOf(ZONE_55.id())).isNotEmpty().allMatch(key -> key.contains(" S|")));
        await().untilAsserted(() -> assertThat(view().byPlace()).isEmpty());
        assertThat(view().byStamp()).isEmpty();
    }

    @Test
    void shouldKnowAfterARestartWhatItKnewBefore() throws Exception {
        Resolver first = launch(Duration.ofMinutes(1));
        edge.answer(edge.join(ZONE_55, "air/#"));
        edge.answer(edge.join(ZONE_44, "air/#"));
        edge.leave(TestCity.interest(ZONE_44, "air/#", edge.id));
        await().untilAsserted(() ->
                assertThat(view().keysOf(ZONE_44.id())).isNotEmpty().allMatch(key -> key.contains(" S|")));
        first.close();
        edge.leave(TestCity.interest(ZONE_55, "air/#", edge.id));
        edge.join(ZONE_55, "water/#");
        world.resolutions.set(0);

        launch(Duration.ofMillis(500));

        await().untilAsserted(() -> assertThat(view().keysOf(ZONE_44.id())).isEmpty());
        await().untilAsserted(this::assertFilters);
        Resolved resolved = edge.answer(edge.join(ZONE_55, "third"));
        assertThat(resolved.getEntityCount()).isEqualTo(resolved(ZONE_55));
        assertThat(resolved.getWorldVersion()).isEqualTo(1);
    }

    @Test
    void shouldAnswerOthersWhenAnEdgeHasNoTopic() throws Exception {
        launch(Duration.ofMinutes(1));
        EdgeId gone = EdgeId.of("gone-" + run);

        for (int i = 0; i < 20; i++) {
            edge.send(TestCity.interest(ZONE_55, "air/" + i, gone), ZONE_55.canonicalText());
        }
        long begin = System.nanoTime();
        edge.answer(edge.join(ZONE_55, "air/#"));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        await().untilAsserted(() -> assertThat(count("hereabouts.resolver.dropped", "reason", "edge_gone"))
                .isEqualTo(20));
    }

    @Test
    void shouldBuryWhatItCannotRead() throws Exception {
        launch(Duration.ofMinutes(1));
        Interest interest = TestCity.interest(ZONE_55, "air/#", edge.id);
        int right = io.hereabouts.schemas.kafka.Partitions.partitionOf(interest.neighborhood(), 12);

        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer("foreign"))) {
            byte[] nonsense = {1, 2, 3};
            for (ProducerRecord<byte[], byte[]> record : List.of(
                    new ProducerRecord<>(topics.interests(), right, Keys.interest(interest), nonsense),
                    new ProducerRecord<>(topics.interests(), right, nonsense, nonsense),
                    new ProducerRecord<>(topics.interests(), (right + 1) % 12, Keys.interest(interest), nonsense))) {
                var unused = producer.send(record);
            }
        }
        edge.answer(edge.join(ZONE_55, "other"));

        await().untilAsserted(() -> assertThat(TestEdge.dump(kafka, topics.deadLetters(), 1).stream()
                        .filter(r -> !Keys.isProbe(r.key()))
                        .map(r -> new String(r.headers().lastHeader("reason").value(), StandardCharsets.UTF_8)))
                .containsExactlyInAnyOrder("undecodable", "undecodable", "misrouted"));
        assertThat(count("hereabouts.resolver.dropped", "reason", "undecodable"))
                .isEqualTo(2);
    }

    @Test
    void shouldAnswerKnownNeighborhoodsQuickly() throws Exception {
        launch(Duration.ofMinutes(1));
        edge.answer(edge.join(ZONE_55, "warm/up"));

        int requests = 3_000;
        long begin = System.nanoTime();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            ids.add(edge.join(ZONE_55, "load/" + i));
        }
        edge.answer(ids.get(requests - 1));
        await().until(() -> edge.answers.keySet().containsAll(ids));
        double seconds = (System.nanoTime() - begin) / 1e9;

        long[] latencies = new long[300];
        for (int i = 0; i < latencies.length; i++) {
            long sent = System.nanoTime();
            long request = edge.join(ZONE_55, "latency/" + i);
            edge.answer(request);
            latencies[i] = edge.answeredAt(request) - sent;
        }
        Arrays.sort(latencies);
        System.out.printf(
                "known neighborhood in %d partitions: %.0f requests/s, answer latency p50 %.2f ms, p99 %.2f ms%n",
                view().keysOf(ZONE_55.id()).stream()
                        .filter(k -> k.contains(" S|"))
                        .count(),
                requests / seconds,
                latencies[latencies.length / 2] / 1e6,
                latencies[latencies.length * 99 / 100] / 1e6);
        assertThat(requests / seconds).isGreaterThan(100);
        assertThat(world.resolutions).hasValue(1);
    }

    private int resolved(NeighborhoodDescriptor descriptor) throws Exception {
        return world.resolve(descriptor).selected().size();
    }
}
