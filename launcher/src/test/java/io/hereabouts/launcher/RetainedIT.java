package io.hereabouts.launcher;

import static io.hereabouts.launcher.RetainedClient.payload;
import static io.hereabouts.launcher.RetainedClient.publication;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.launcher.RetainedClient.Wish;
import io.hereabouts.launcher.kafka.TopicValues;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;

/**
 * What is retained about an entity is told to whoever subscribes to a neighborhood that it is in, and to whose neighborhood
 * it comes: on each of two edges, one of them a process of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetainedIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final GeometryFactory GEOMETRY = new GeometryFactory();
    private static final String IN_ZONE = "{\"stages\":[{\"references\":[\"zone/1\"],\"categories\":[\"sensor\"]}]}";
    private static final String WITHIN_ZONE =
            "{\"stages\":[{\"references\":[\"zone/1\"],\"categories\":[\"sensor\"],\"where\":{\"relation\":\"within\"}}]}";
    private static final int SENSORS = 4;
    private static final int SUBSCRIBERS = 12;
    private static final int IN_FLIGHT = 20;
    private static final int ROUNDS = 60;
    private static final int FEW = 6;

    private EmbeddedStack stack;
    private WorldTarget world;
    private ComponentProcess west;
    private Path westFolder;
    private int eastPort;
    private int westPort;
    private final AtomicInteger clients = new AtomicInteger();

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of("data", folder.resolve("all").toString(), "kafka.port", "0", "mqtt.port", "0"),
                Map.of());
        List<PhysicalEntity> entities = new ArrayList<>();
        entities.add(entity("zone/1", "zone", new Envelope(13, 14, 52, 53)));
        entities.add(sensor("sensor/out", false));
        entities.add(sensor("sensor/mover", false));
        for (int i = 0; i < SENSORS; i++) {
            entities.add(sensor("sensor/" + i, true));
        }
        stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), entities);
        world = WorldTarget.open(settings, stack.wiring());
        eastPort = stack.mqttPort();
        westFolder = folder.resolve("west");
        startWest();
    }

    private void startWest() throws Exception {
        west = ComponentProcess.start(
                "edge",
                Map.of(
                        "data",
                        westFolder.toString(),
                        "edge.id",
                        "west",
                        "mqtt.port",
                        "0",
                        "kafka.bootstrap-servers",
                        stack.kafkaServers()));
        westPort = Integer.parseInt(west.awaitReady());
    }

    @AfterAll
    void stop() throws Exception {
        west.close();
        world.close();
        stack.close();
    }

    private RetainedClient east() {
        return new RetainedClient(eastPort, "east-" + clients.incrementAndGet());
    }

    private RetainedClient west() {
        return new RetainedClient(westPort, "west-" + clients.incrementAndGet());
    }

    private static PhysicalEntity sensor(String id, boolean inside) {
        return entity(id, "sensor", new Envelope(new Coordinate(inside ? 13.5 : 15.5, 52.5)));
    }

    private static PhysicalEntity entity(String id, String category, Envelope place) {
        return new PhysicalEntity(
                EntityId.of(id), GEOMETRY.toGeometry(place), new TreeSet<>(List.of(Category.of(category))));
    }

    @Test
    void shouldTellANewSubscriptionOnEachEdgeWithAllItsProperties() throws Exception {
        try (RetainedClient publisher = east();
                RetainedClient near = east();
                RetainedClient far = west();
                RetainedClient plain = west()) {
            publisher
                    .send(publication("new/a", 2, "first", "sensor/0")
                            .retain(true)
                            .build())
                    .join();
            Mqtt5Publish sent = publication("new/a", 2, "second", "sensor/0")
                    .retain(true)
                    .contentType("text/x")
                    .responseTopic("answer")
                    .correlationData(new byte[] {1, 2})
                    .messageExpiryInterval(1_000)
                    .userProperties(Mqtt5UserProperties.builder()
                            .add("k", "1")
                            .add("entity", "sensor/0")
                            .add("k", "2")
                            .build())
                    .build();
            publisher.send(sent).join();
            publisher.retain("new/b", 0, "qos 0", "sensor/1");
            publisher.retain("new/a", 1, "outside", "sensor/out");
            publisher.retain("other", 1, "other", "sensor/0");
            publisher
                    .send(publication("new/a", 1, "not retained", "sensor/1").build())
                    .join();
            await().atMost(LONG).untilAsserted(() -> assertThat(retained("new/b", "sensor/1"))
                    .containsExactly(true));

            near.subscribe("new/+", Wish.of(2, IN_ZONE));
            far.subscribe("new/+", Wish.of(1, IN_ZONE));
            plain.subscribe("new/#", Wish.of(1, null));

            for (RetainedClient client : List.of(near, far)) {
                await().atMost(LONG)
                        .untilAsserted(() -> assertThat(client.got()).containsExactlyInAnyOrder("second R", "qos 0 R"));
                Mqtt5Publish got = client.received.stream()
                        .filter(p -> payload(p).equals("second"))
                        .findFirst()
                        .orElseThrow();
                assertThat(got.getQos().getCode()).isEqualTo(client == near ? 2 : 1);
                assertThat(got.getTopic()).hasToString("new/a");
                assertThat(got.getContentType().orElseThrow()).hasToString("text/x");
                assertThat(got.getResponseTopic().orElseThrow()).hasToString("answer");
                assertThat(got.getCorrelationData().orElseThrow().remaining()).isEqualTo(2);
                assertThat(got.getUserProperties().asList().stream()
                                .map(p -> p.getName() + "=" + p.getValue())
                                .filter(p -> !p.startsWith("publication-id")))
                        .containsExactly("k=1", "k=2", "entity=sensor/0", "neighborhood-id=here");
            }
            await().atMost(LONG).untilAsserted(() -> assertThat(plain.got())
                    .containsExactlyInAnyOrder("second R", "qos 0 R", "outside R"));
            assertThat(mosquitto("new/+", 2)).containsExactlyInAnyOrder("1 second", "1 qos 0");
        }
    }

    /** What mosquitto_sub prints: RETAIN and payload. */
    private List<String> mosquitto(String filter, int count) throws Exception {
        Process process = new ProcessBuilder(
                        "mosquitto_sub",
                        "-V",
                        "5",
                        "-p",
                        String.valueOf(westPort),
                        "-q",
                        "1",
                        "-t",
                        filter,
                        "-C",
                        String.valueOf(count),
                        "-W",
                        "30",
                        "-F",
                        "%r %p",
                        "-D",
                        "subscribe",
                        "user-property",
                        "neighborhood",
                        IN_ZONE)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }

    @Test
    void shouldFollowRetainHandlingAndRetainAsPublished() {
        try (RetainedClient publisher = west();
                RetainedClient never = east();
                RetainedClient always = east();
                RetainedClient ifNew = east()) {
            publisher.retain("rh", 1, "0", "sensor/0");
            never.subscribe("rh", new Wish(1, 2, true, IN_ZONE));
            ifNew.subscribe("rh", new Wish(1, 1, false, IN_ZONE)).awaits("0 R");
            ifNew.subscribe("rh", new Wish(1, 1, false, IN_ZONE));
            always.subscribe("rh", Wish.of(1, IN_ZONE)).awaits("0 R");
            always.subscribe("rh", Wish.of(1, IN_ZONE)).awaits("0 R", "0 R");

            publisher.retain("rh", 1, "1", "sensor/0");
            always.awaits("0 R", "0 R", "1");
            ifNew.awaits("0 R", "1");
            never.awaits("1 R");
            ifNew.subscribe("rh", new Wish(1, 1, false, WITHIN_ZONE)).awaits("0 R", "1", "1 R");
        }
    }

    @Test
    void shouldClearByAnEmptyPayloadThatIsRetainedOnly() throws Exception {
        try (RetainedClient publisher = east();
                RetainedClient live = west();
                RetainedClient late = west()) {
            live.subscribe("clear", Wish.of(1, IN_ZONE));
            publisher.retain("clear", 1, "x", "sensor/0");
            publisher.send(publication("clear", 1, "", "sensor/0").build()).join();
            live.awaits("x", "");
            late.subscribe("clear", Wish.of(1, IN_ZONE)).awaits("x R");
            assertThat(retained("clear", "sensor/0")).containsExactly(true);

            publisher.retain("clear", 2, "", "sensor/0");
            assertThat(retained("clear", "sensor/0")).as("a tombstone").containsExactly(true, false);
            live.awaits("x", "", "");
            publisher.retain("clear", 1, "of another", "sensor/1");
            try (RetainedClient after = east();
                    RetainedClient afterThere = west()) {
                after.subscribe("clear", Wish.of(1, IN_ZONE)).awaits("of another R");
                afterThere.subscribe("clear", Wish.of(1, IN_ZONE)).awaits("of another R");
            }
            assertThat(TopicValues.of(
                            stack.wiring().kafka(), stack.wiring().topics().publications()))
                    .as("no tombstones among publications")
                    .allSatisfy((entity, values) -> assertThat(values).doesNotContain(false));
        }
    }

    /** Whether the records under the key have a value. */
    private List<Boolean> retained(String topic, String entity) {
        String key = new String(new RetainedKey(topic, entity).bytes(), StandardCharsets.UTF_8);
        return TopicValues.of(stack.wiring().kafka(), stack.wiring().topics().retained())
                .getOrDefault(key, List.of());
    }

    @Test
    void shouldDeliverTheRestOfTheExpiryAndNothingThatHasExpired() {
        try (RetainedClient publisher = east();
                RetainedClient subscriber = west()) {
            publisher
                    .send(publication("expiry", 1, "long", "sensor/0")
                            .retain(true)
                            .messageExpiryInterval(600)
                            .build())
                    .join();
            publisher
                    .send(publication("expiry", 1, "short", "sensor/1")
                            .retain(true)
                            .messageExpiryInterval(2)
                            .build())
                    .join();
            await().atMost(LONG).until(() -> {
                subscriber.received.clear();
                subscriber.subscribe("expiry", Wish.of(1, IN_ZONE));
                await().atMost(LONG).until(() -> subscriber.received.stream()
                        .anyMatch(p -> payload(p).equals("long")));
                return subscriber.received.stream()
                                .allMatch(p -> p.getMessageExpiryInterval().orElseThrow() <= 597)
                        && subscriber.got().equals(List.of("long R"));
            });
        }
    }

    @Test
    void shouldKeepWhatAnEdgeTookThatWasKilled() throws Exception {
        try (RetainedClient here = east()) {
            RetainedClient publisher = west();
            for (int qos = 1; qos <= 2; qos++) {
                publisher.retain("killed/" + qos, qos, "qos " + qos, "sensor/0");
            }
            west.kill();
            here.subscribe("killed/+", Wish.of(1, IN_ZONE));
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(here.got()).containsExactlyInAnyOrder("qos 1 R", "qos 2 R"));
            startWest();
            try (RetainedClient there = west()) {
                there.subscribe("killed/+", Wish.of(1, IN_ZONE));
                await().atMost(LONG)
                        .untilAsserted(() -> assertThat(there.got()).containsExactlyInAnyOrder("qos 1 R", "qos 2 R"));
            }
        }
    }

    @Test
    void shouldTellWhatComesIntoANeighborhood() throws Exception {
        try (RetainedClient publisher = east();
                RetainedClient near = east();
                RetainedClient far = west();
                RetainedClient never = west()) {
            publisher.retain("world", 1, "mover", "sensor/mover");
            publisher.retain("world", 1, "fixed", "sensor/0");
            never.subscribe("world", new Wish(1, 2, false, IN_ZONE));
            near.subscribe("world", Wish.of(1, IN_ZONE)).awaits("fixed R");
            far.subscribe("world", new Wish(1, 1, false, IN_ZONE)).awaits("fixed R");

            move(true);
            near.awaits("fixed R", "mover R");
            far.awaits("fixed R", "mover R");
            await().atMost(LONG).until(() -> isDelivered(publisher, near, "inside"));
            move(false);
            await().atMost(LONG).until(() -> !isDelivered(publisher, near, "outside"));
            publisher.retain("world", 1, "moved", "sensor/mover");
            int before = near.received.size();
            move(true);
            await().atMost(LONG).until(() -> near.got().size() > before);
            assertThat(near.got().get(before)).isEqualTo("moved R");
            await().atMost(LONG).until(() -> far.got().contains("moved R"));
            assertThat(never.got()).noneMatch(got -> got.endsWith("R"));
            move(false);
        }
    }

    private void move(boolean inside) throws Exception {
        world.upsert(sensor("sensor/mover", inside));
        world.finish();
    }

    /** Whether a publication about the mover comes to the subscriber before one about who stays does. */
    private static boolean isDelivered(RetainedClient publisher, RetainedClient subscriber, String name) {
        String payload = name + System.nanoTime();
        publisher.send(publication("world", 1, payload, "sensor/mover").build()).join();
        publisher.send(publication("world", 1, "after", "sensor/0").build()).join();
        long before = subscriber.got().stream().filter("after"::equals).count();
        publisher.send(publication("world", 1, "after", "sensor/0").build()).join();
        await().atMost(LONG)
                .until(() -> subscriber.got().stream().filter("after"::equals).count() > before);
        return subscriber.got().contains(payload);
    }

    /**
     * While numbers are retained in order, of some sensors without pause and of others now and then, clients subscribe on
     * both edges. What comes live begins no later than with the first that was sent after the SUBACK, and from there on each
     * comes; what is retained comes before, and nothing twice.
     */
    @Test
    void shouldMissNothingBetweenRetainedAndLiveUnderLoad() throws Exception {
        AtomicInteger[] sent = new AtomicInteger[SENSORS];
        List<Thread> publishers = new ArrayList<>();
        List<String> wrong = new CopyOnWriteArrayList<>();
        AtomicInteger served = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        for (int i = 0; i < SENSORS; i++) {
            int sensor = i;
            AtomicInteger count = new AtomicInteger();
            sent[i] = count;
            publishers.add(new Thread(() -> publish(sensor, count, served, enough, wrong), "publisher-" + i));
        }
        publishers.forEach(Thread::start);
        List<RetainedClient> subscribers = new ArrayList<>();
        List<int[]> firstAtMost = new ArrayList<>();
        while (subscribers.size() < SUBSCRIBERS) {
            RetainedClient subscriber = subscribers.size() % 2 == 0 ? east() : west();
            subscriber.subscribe("load", Wish.of(1, IN_ZONE));
            int[] next = new int[SENSORS];
            for (int i = 0; i < SENSORS; i++) {
                next[i] = sent[i].get();
            }
            subscribers.add(subscriber);
            firstAtMost.add(next);
            served.incrementAndGet();
        }
        enough.set(true);
        for (Thread publisher : publishers) {
            publisher.join();
        }
        assertThat(wrong).isEmpty();
        int retained = 0;
        for (int s = 0; s < subscribers.size(); s++) {
            RetainedClient subscriber = subscribers.get(s);
            for (int i = 0; i < SENSORS; i++) {
                awaitLast(subscriber, i, sent[i].get() - 1);
                int atMost = Math.min(firstAtMost.get(s)[i], sent[i].get() - 1);
                live(subscriber, i).stream().findFirst().ifPresent(first -> assertThat(first)
                        .isLessThanOrEqualTo(atMost));
                assertOrder(subscriber, i);
            }
            retained += (int)
                    subscriber.received.stream().filter(Mqtt5Publish::isRetain).count();
            subscriber.close();
        }
        System.out.printf("retained under load: %d subscribers, %d retained copies%n", subscribers.size(), retained);
        assertThat(retained).as("or nothing was tested").isPositive();
    }

    /**
     * A client subscribes while a few are retained, of which the last is the last there is: it has to get that one, as
     * retained or live, whatever the moment.
     */
    @Test
    void shouldEndWithTheLastWhateverTheMomentOfTheSubscribe() throws Exception {
        int asRetained = 0;
        int live = 0;
        try (RetainedClient publisher = east()) {
            for (int round = 0; round < ROUNDS; round++) {
                String topic = "moment/" + round;
                try (RetainedClient subscriber = round % 2 == 0 ? east() : west()) {
                    List<CompletableFuture<?>> all = new ArrayList<>();
                    for (int number = 0; number < FEW; number++) {
                        if (number == round % (FEW + 1)) {
                            all.add(CompletableFuture.runAsync(() -> subscriber.subscribe(topic, Wish.of(1, IN_ZONE))));
                        }
                        all.add(publisher.send(publication(topic, 1, String.valueOf(number), "sensor/0")
                                .retain(true)
                                .build()));
                        if (round % 3 == 0) {
                            all.get(all.size() - 1).join();
                        }
                    }
                    all.forEach(CompletableFuture::join);
                    if (round % (FEW + 1) == FEW) {
                        subscriber.subscribe(topic, Wish.of(1, IN_ZONE));
                    }
                    awaitLast(subscriber, 0, FEW - 1);
                    assertOrder(subscriber, 0);
                    if (subscriber.received.get(0).isRetain()) {
                        asRetained++;
                    } else {
                        live++;
                    }
                }
            }
        }
        System.out.printf("retained at any moment: %d began with a retained one, %d live%n", asRetained, live);
    }

    private static void awaitLast(RetainedClient subscriber, int sensor, int last) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(numbers(subscriber, sensor)).endsWith(last));
    }

    /** Nothing comes twice or after something newer, and of what comes live nothing is left out. */
    private static void assertOrder(RetainedClient subscriber, int sensor) {
        List<Integer> numbers = numbers(subscriber, sensor);
        for (int n = 1; n < numbers.size(); n++) {
            assertThat(numbers.get(n)).as("in order: %s", numbers).isGreaterThan(numbers.get(n - 1));
        }
        List<Integer> live = live(subscriber, sensor);
        for (int n = 1; n < live.size(); n++) {
            assertThat(live.get(n)).as("each: %s", live).isEqualTo(live.get(n - 1) + 1);
        }
    }

    private static List<Integer> live(RetainedClient subscriber, int sensor) {
        return numbers(subscriber, sensor, p -> !p.isRetain());
    }

    private static List<Integer> numbers(RetainedClient subscriber, int sensor) {
        return numbers(subscriber, sensor, p -> true);
    }

    private static List<Integer> numbers(RetainedClient subscriber, int sensor, Predicate<Mqtt5Publish> which) {
        return subscriber.received.stream()
                .filter(which)
                .filter(p -> ("sensor/" + sensor).equals(TestClient.userProperty(p, "entity")))
                .map(p -> Integer.parseInt(payload(p)))
                .toList();
    }

    private void publish(
            int sensor, AtomicInteger count, AtomicInteger served, AtomicBoolean enough, List<String> wrong) {
        Semaphore room = new Semaphore(IN_FLIGHT);
        try (RetainedClient publisher = sensor % 2 == 0 ? east() : west()) {
            for (int number = 0; !enough.get(); number++) {
                room.acquire();
                if (sensor >= SENSORS / 2) {
                    // of the second half one for each subscriber: what is retained is seldom overtaken
                    int turn = number;
                    await().atMost(LONG)
                            .pollInterval(Duration.ofMillis(5))
                            .until(() -> enough.get() || served.get() >= turn);
                }
                count.incrementAndGet();
                var unused = publisher
                        .send(publication("load", 1, String.valueOf(number), "sensor/" + sensor)
                                .retain(true)
                                .build())
                        .whenComplete((ok, failure) -> {
                            if (failure != null) {
                                wrong.add(failure.toString());
                            }
                            room.release();
                        });
            }
            room.acquire(IN_FLIGHT);
        } catch (InterruptedException e) {
            wrong.add(e.toString());
        }
    }

    /** Two edges retain under one key at a time: what is published last is what is retained, on both. */
    @Test
    void shouldRetainTheLastByTheOrderOfPublications() throws Exception {
        Map<String, String> lasts = new HashMap<>();
        try (RetainedClient one = east();
                RetainedClient other = west();
                RetainedClient live = east()) {
            live.subscribe("order/+", Wish.of(1, IN_ZONE));
            for (int round = 0; round < 20; round++) {
                String topic = "order/" + round;
                List<CompletableFuture<?>> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    RetainedClient by = i % 2 == 0 ? one : other;
                    all.add(by.send(publication(topic, 1, topic + "-" + i, "sensor/0")
                            .retain(true)
                            .build()));
                }
                for (CompletableFuture<?> each : all) {
                    each.join();
                }
            }
            await().atMost(LONG).until(() -> live.received.size() == 400);
            live.received.forEach(p -> lasts.put(p.getTopic().toString(), payload(p) + " R"));
        }
        try (RetainedClient here = east();
                RetainedClient there = west()) {
            here.subscribe("order/+", Wish.of(1, IN_ZONE));
            there.subscribe("order/+", Wish.of(1, IN_ZONE));
            for (RetainedClient client : List.of(here, there)) {
                await().atMost(LONG).untilAsserted(() -> assertThat(client.got())
                        .containsExactlyInAnyOrderElementsOf(lasts.values()));
            }
        }
    }
}
