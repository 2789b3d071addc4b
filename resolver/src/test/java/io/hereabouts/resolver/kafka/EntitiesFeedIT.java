package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.kafka.EntityMirror.Difference;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EntitiesFeedIT {

    private static final List<PhysicalEntity> CITY = TestCity.entities(3, 2_000);
    private static final EntityId ZONE = EntityId.of("zone/55");

    private static TestKafka broker;
    private static KafkaConnection kafka;

    @BeforeAll
    static void startKafka() {
        Awaitility.pollInSameThread();
        broker = TestKafka.start();
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stopKafka() {
        broker.close();
    }

    @Test
    void shouldGiveEveryFeedTheSameWorld() throws Exception {
        TopicCatalogue topics = topics("feed.");
        try (WorldWriter writer = WorldWriter.open(kafka, topics)) {
            writer.apply(ChangeSet.upsert(CITY));
        }

        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (InMemoryWorld first = new InMemoryWorld(ResolutionLimits.DEFAULT);
                InMemoryWorld second = new InMemoryWorld(ResolutionLimits.DEFAULT);
                EntitiesFeed feed = EntitiesFeed.start(kafka, topics, first, meters)) {
            assertThat(feed.awaitReady(Duration.ofSeconds(30))).isTrue();
            assertThat(first.resolve(TestCity.sensorsIn("zone/55")).selected())
                    .isEqualTo(scratch().resolve(TestCity.sensorsIn("zone/55")).selected())
                    .isNotEmpty();
            long loaded = first.version();

            try (WorldWriter writer = WorldWriter.open(kafka, topics)) {
                writer.apply(ChangeSet.delete(List.of(ZONE)));
            }
            await().until(() -> first.entity(ZONE).isEmpty());
            assertThat(first.version()).isGreaterThan(loaded);
            assertThat(first.entity(EntityId.of("zone/54"))).isPresent();

            try (EntitiesFeed later = EntitiesFeed.start(kafka, topics, second, meters)) {
                assertThat(later.awaitReady(Duration.ofSeconds(30))).isTrue();
                assertThat(second.version()).isEqualTo(first.version());
                assertThat(second.entity(ZONE)).isEmpty();
            }
        }
    }

    /** Two entities of different partitions change places again and again: whoever looks sees one of them in the zone. */
    @Test
    void shouldApplyChangeSetsAsAWholeInOrder() throws Exception {
        TopicCatalogue topics = topics("whole.");
        EntityId here = EntityId.of("sensor/a");
        EntityId there = IntStream.range(0, 100)
                .mapToObj(i -> EntityId.of("sensor/b" + i))
                .filter(id -> Partitions.partitionOf(id, 3) != Partitions.partitionOf(here, 3))
                .findFirst()
                .orElseThrow();
        try (WorldWriter writer = WorldWriter.open(kafka, topics);
                InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            writer.apply(ChangeSet.upsert(CITY));
            long begin = writer.apply(swapped(here, there));
            try (EntitiesFeed feed = EntitiesFeed.start(kafka, topics, world, new SimpleMeterRegistry())) {
                assertThat(feed.awaitReady(Duration.ofSeconds(30))).isTrue();
                assertThat(world.version()).isEqualTo(begin);
                List<Long> written = new ArrayList<>();
                Thread swapping = new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        written.add(writer.apply(i % 2 == 0 ? swapped(there, here) : swapped(here, there)));
                    }
                });
                swapping.start();

                List<Long> seen = new ArrayList<>();
                while (seen.size() < 200) {
                    long since = seen.isEmpty() ? begin : seen.get(seen.size() - 1);
                    for (WorldChange change : world.awaitChanges(since, Duration.ofSeconds(30))) {
                        seen.add(change.version());
                    }
                    List<EntityId> inside =
                            world.resolve(TestCity.sensorsIn("zone/empty")).selected();
                    assertThat(inside).hasSize(1);
                }
                swapping.join();
                assertThat(seen).isEqualTo(written);
            }
        }
    }

    /** Each change set is in other partitions than the one before, and feeds begin to read while they are written. */
    @Test
    void shouldBeTheSameForFeedsThatBeginWhileTheWorldChanges() throws Exception {
        TopicCatalogue topics = topics("begin.");
        try (WorldWriter writer = WorldWriter.open(kafka, topics)) {
            writer.apply(ChangeSet.upsert(CITY));
            AtomicLong last = new AtomicLong();
            Thread changing = new Thread(() -> {
                for (int i = 0; i < 150; i++) {
                    last.set(writer.apply(ChangeSet.upsert(List.of(
                            TestCity.sensor("sensor/" + i, 14.005, 53.005), TestCity.sensor("sensor/x", 15, 54)))));
                }
            });
            changing.start();
            List<List<EntityId>> ends = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
                        EntitiesFeed feed = EntitiesFeed.start(kafka, topics, world, new SimpleMeterRegistry())) {
                    assertThat(feed.awaitReady(Duration.ofSeconds(30))).isTrue();
                    assertWholePrefix(world);
                    if (i == 4) {
                        changing.join();
                    }
                    await().atMost(Duration.ofSeconds(30))
                            .until(() -> changing.isAlive() || world.version() == last.get());
                    ends.add(assertWholePrefix(world));
                }
            }
            assertThat(ends.get(4)).hasSize(150);
        }
    }

    /** The sensors that have come into the zone: the first so many of them, each together with the others. */
    private static List<EntityId> assertWholePrefix(InMemoryWorld world) throws Exception {
        List<EntityId> inside = world.resolve(TestCity.sensorsIn("zone/empty")).selected();
        assertThat(inside)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, inside.size())
                        .mapToObj(i -> EntityId.of("sensor/" + i))
                        .toList());
        return inside;
    }

    private static ChangeSet swapped(EntityId in, EntityId out) {
        return ChangeSet.upsert(
                List.of(TestCity.sensor(in.value(), 14.005, 53.005), TestCity.sensor(out.value(), 15, 54)));
    }

    @Test
    void shouldLeaveNothingOfAChangeSetThatAnotherWriterInterrupts() throws Exception {
        TopicCatalogue topics = topics("fenced.");
        try (WorldWriter first = WorldWriter.open(kafka, topics)) {
            first.apply(ChangeSet.upsert(CITY));
            try (WorldWriter second = WorldWriter.open(kafka, topics);
                    InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
                long version = second.apply(ChangeSet.delete(List.of(ZONE)));

                assertThatThrownBy(() -> first.apply(ChangeSet.delete(List.of(EntityId.of("zone/54")))))
                        .isInstanceOf(KafkaException.class)
                        .hasMessageContaining("another process has begun to change it");

                try (EntitiesFeed feed = EntitiesFeed.start(kafka, topics, world, new SimpleMeterRegistry())) {
                    assertThat(feed.awaitReady(Duration.ofSeconds(30))).isTrue();
                    assertThat(world.entity(EntityId.of("zone/54"))).isPresent();
                    assertThat(world.entity(ZONE)).isEmpty();
                    assertThat(world.version()).isEqualTo(version);
                }
            }
        }
    }

    @Test
    void shouldSkipAndCountWhatIsNotAnEntity() throws Exception {
        TopicCatalogue topics = topics("skip.");
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer("foreign"))) {
            producer.send(new ProducerRecord<>(topics.entities(), 0, ZONE.bytes(), new byte[] {1}))
                    .get();
        }
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
                EntitiesFeed feed = EntitiesFeed.start(kafka, topics, world, meters)) {
            assertThat(feed.awaitReady(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(meters.get("hereabouts.resolver.dropped")
                        .tag("reason", "undecodable_entity")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldMirrorIdsAndCategoriesOnceAndThenTheDifference() throws Exception {
        TopicCatalogue topics = topics("mirror.");
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(ChangeSet.upsert(CITY));
            assertThat(EntityMirror.sync(kafka, topics, world, count -> {})).isEqualTo(new Difference(CITY.size(), 0));
            assertThat(EntityMirror.sync(kafka, topics, world, count -> {})).isEqualTo(new Difference(0, 0));

            world.apply(ChangeSet.delete(List.of(ZONE)));
            assertThat(EntityMirror.sync(kafka, topics, world, count -> {})).isEqualTo(new Difference(0, 1));
        }
        List<ConsumerRecord<byte[], byte[]>> records = TestEdge.dump(kafka, topics.entities(), topics.partitions());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() != null && !Keys.isProbe(record.key())) {
                assertThat(Framing.decode(record.value(), Entity.class).getGeometry())
                        .isNull();
            }
        }
    }

    private static InMemoryWorld scratch() {
        InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
        world.apply(ChangeSet.upsert(CITY));
        return world;
    }

    private static TopicCatalogue topics(String prefix) throws Exception {
        TopicCatalogue topics = new TopicCatalogue(prefix, 3, (short) 1, Duration.ofDays(1));
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed());
        }
        return topics;
    }
}
