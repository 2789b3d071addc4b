package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;

/** A subscriber gets what its neighborhood holds in the world as it is, while that changes, without doing anything. */
class ChangingWorldIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final GeometryFactory GEOMETRY = new GeometryFactory();
    private static final String IN_ZONE = "{\"stages\":[{\"references\":[\"zone/1\"],\"categories\":[\"sensor\"]}]}";
    private static final PhysicalEntity ZONE = entity("zone/1", "zone", new Envelope(13, 14, 52, 53));
    private static final String STATUS = "$hereabouts/neighborhoods/here";
    private static final int SWAPS = 10;
    private static final int IN_FLIGHT = 50;

    @TempDir
    Path folder;

    @Test
    void shouldFollowTheWorldInMemory() throws Exception {
        run(Map.of());
    }

    @Test
    void shouldFollowTheWorldInPostgis() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        run(Map.of(
                "world.kind",
                "postgis",
                "world.postgis.url",
                "jdbc:postgresql://" + database.host() + ":" + database.port() + "/" + database.name(),
                "world.postgis.user",
                database.user(),
                "world.postgis.password",
                database.password()));
    }

    private void run(Map<String, String> world) throws Exception {
        Map<String, String> more = new HashMap<>(world);
        more.put("data", folder.toString());
        more.put("kafka.port", "0");
        more.put("mqtt.port", "0");
        StackSettings settings = Settings.load(Optional.empty(), more, Map.of());
        EntityId first = EntityId.of("sensor/a");
        EntityId second = ofSamePartition(first, settings.topics().partitions());
        List<PhysicalEntity> entities = List.of(ZONE, inside(first), outside(second));
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), entities);
                WorldTarget target = WorldTarget.open(settings, stack.wiring())) {
            swap(stack, target, first, second);
            comeAndGo(stack, target);
        }
    }

    /**
     * Two entities of one partition change places again and again while their states are published in turn. Whatever is
     * published before the change in the partition goes by the old set, whatever comes after by the new one: so between the
     * last one of the one and the first one of the other there is no room for both or for neither.
     */
    private static void swap(EmbeddedStack stack, WorldTarget target, EntityId first, EntityId second)
            throws Exception {
        try (Watcher watcher = new Watcher(stack.mqttPort(), "swap")) {
            int published = 0;
            for (int swaps = 0; swaps <= SWAPS; swaps++) {
                // the numbers of the one inside are even, those of the other odd, and the next time the other way round
                int parity = swaps % 2;
                int from = published;
                while (watcher.inside.tailSet(from).stream().noneMatch(number -> number % 2 == parity)) {
                    watcher.publish(published, published % 2 == 0 ? first : second);
                    published++;
                }
                if (swaps < SWAPS) {
                    target.upsert(parity == 0 ? outside(first) : inside(first));
                    target.upsert(parity == 0 ? inside(second) : outside(second));
                    target.finish();
                }
            }
            int all = published;
            await().atMost(LONG).until(() -> watcher.received.size() == all);
            check(watcher.inside, published);
        }
    }

    private static void check(NavigableSet<Integer> received, int published) {
        int switches = 0;
        int before = -2;
        for (int number : received) {
            int step = number - before;
            assertThat(step)
                    .as(
                            "from %d to %d of %d: two is the same entity's next, one or three a swap",
                            before, number, published)
                    .isBetween(1, 3);
            switches += step == 2 ? 0 : 1;
            before = number;
        }
        assertThat(switches).isEqualTo(SWAPS);
        System.out.printf(
                "changing world: %d swaps in %d publications, %d received%n", SWAPS, published, received.size());
    }

    /** An entity is added, moved, deleted; the zone is deleted and comes back. */
    private static void comeAndGo(EmbeddedStack stack, WorldTarget target) throws Exception {
        EntityId id = EntityId.of("sensor/new");
        try (Watcher watcher = new Watcher(stack.mqttPort(), "come")) {
            watcher.awaitInside(id, false);
            target.upsert(inside(id));
            target.finish();
            watcher.awaitInside(id, true);
            String before = watcher.awaitStatus("\"state\":\"resolved\",\"entities\":2,");

            target.delete(ZONE.id());
            target.finish();
            watcher.awaitInside(id, false);
            assertThat(watcher.awaitStatus("\"missing\":[\"zone/1\"]")).contains("\"entities\":0,");
            target.upsert(ZONE);
            target.finish();
            watcher.awaitInside(id, true);
            assertThat(watcher.awaitStatus("\"state\":\"resolved\",\"entities\":2,"))
                    .isNotEqualTo(before);

            target.upsert(outside(id));
            target.finish();
            watcher.awaitInside(id, false);
            target.upsert(inside(id));
            target.finish();
            watcher.awaitInside(id, true);
            target.delete(id);
            target.finish();
            watcher.awaitInside(id, false);
        }
    }

    /** Gets each publication to a topic once, plain, and with the neighborhood's id if its entity is in there. */
    private static final class Watcher implements AutoCloseable {
        private final String topic;
        private final TestClient client;
        private final Semaphore room = new Semaphore(IN_FLIGHT);
        private final Set<Integer> received = ConcurrentHashMap.newKeySet();
        private final NavigableSet<Integer> inside = new ConcurrentSkipListSet<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        /** The last that was said of the neighborhood. */
        private volatile String status = "";

        private int next;

        Watcher(int port, String topic) {
            this.topic = topic;
            this.client = TestClient.connect(port, topic, this::add);
            assertThat(client.subscribe(topic, 1, null, null).join().refused()).isFalse();
            assertThat(client.subscribe(STATUS, 1, null, null).join().refused()).isFalse();
            assertThat(client.subscribe(topic, 1, IN_ZONE, "here").join().refused())
                    .isFalse();
        }

        private void add(Mqtt5Publish publish) {
            String payload = new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
            if (publish.getTopic().toString().equals(STATUS)) {
                status = payload;
                return;
            }
            room.release();
            int number = Integer.parseInt(payload);
            boolean isIn = publish.getUserProperties().asList().stream()
                    .anyMatch(p -> p.getName().toString().equals("neighborhood-id"));
            if (isIn) {
                inside.add(number);
            }
            if (!received.add(number)) {
                wrong.add("repeated: " + number);
            }
        }

        /** Waits for room: each publication comes back, and the subscriber must not fall behind ever further. */
        void publish(int number, EntityId entity) throws InterruptedException {
            room.acquire();
            var unused = client.publish(topic, 1, String.valueOf(number), entity.value())
                    .thenAccept(answer -> {
                        if (answer.refused()) {
                            wrong.add("refused: " + number + " " + answer);
                        }
                    });
        }

        /** Publishes about the entity until it is in the neighborhood, or no longer is. */
        void awaitInside(EntityId entity, boolean expected) {
            await().atMost(LONG).until(() -> {
                int number = next++;
                publish(number, entity);
                await().atMost(LONG).until(() -> received.contains(number));
                return inside.contains(number) == expected;
            });
        }

        String awaitStatus(String part) {
            return await().atMost(LONG).until(() -> status, s -> s.contains(part));
        }

        @Override
        public void close() {
            client.close();
            assertThat(wrong).isEmpty();
        }
    }

    private static EntityId ofSamePartition(EntityId id, int partitions) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> EntityId.of("sensor/b" + i))
                .filter(other -> Partitions.partitionOf(other, partitions) == Partitions.partitionOf(id, partitions))
                .findFirst()
                .orElseThrow();
    }

    private static PhysicalEntity inside(EntityId id) {
        return entity(id.value(), "sensor", new Envelope(new Coordinate(13.5, 52.5)));
    }

    private static PhysicalEntity outside(EntityId id) {
        return entity(id.value(), "sensor", new Envelope(new Coordinate(15.5, 52.5)));
    }

    private static PhysicalEntity entity(String id, String category, Envelope place) {
        return new PhysicalEntity(
                EntityId.of(id), GEOMETRY.toGeometry(place), new TreeSet<>(List.of(Category.of(category))));
    }
}
