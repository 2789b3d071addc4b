package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publication sent from the SUBACK's callback, by a client of another edge, arrives; routers are killed meanwhile.
 * Two routers run as processes of their own, under a background load.
 */
class SubackMeansActiveIT {

    private static final EdgeConfig.Limits DEFAULTS = EdgeConfig.Limits.DEFAULT;
    private static final EdgeConfig.Limits LIMITS = new EdgeConfig.Limits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            DEFAULTS.retry(),
            DEFAULTS.heartbeat(),
            DEFAULTS.compare(),
            DEFAULTS.window(),
            DEFAULTS.queue(),
            DEFAULTS.pendingBytes(),
            DEFAULTS.qos0Bytes(),
            DEFAULTS.maxPayloadBytes(),
            4 << 20,
            DEFAULTS.receiveMaximum(),
            DEFAULTS.plainQueue(),
            DEFAULTS.retainedBytes());
    private static final int SUBSCRIBERS = 4;
    private static final int ROUNDS = Integer.getInteger("hereabouts.suback.rounds", 1_000);
    private static final int KILLS = 3;
    private static final int BACKGROUND_PER_SECOND = 1_000;
    private static final Duration ARRIVAL = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final SeededCity city = SeededCity.generate(7, 8);
    private final List<String> detectors = city.entities().stream()
            .filter(e -> e.isA(Category.of("detector")))
            .map(PhysicalEntity::id)
            .map(EntityId::value)
            .toList();
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final List<String> missed = java.util.Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldMatchWhatIsPublishedFromTheSubacksCallback() throws Exception {
        try (SplitStack stack = SplitStack.start(city, folder, LIMITS, new SimpleMeterRegistry())) {
            int near = stack.eastPort();
            int far = stack.westPort();
            TwoRouters routers = stack.routers();
            try (Background background = new Background(far)) {
                run(near, far, routers);
                System.out.println("SUBACK means active: " + done.get() + " rounds, " + missed.size() + " missed, "
                        + refused.get() + " refused and repeated, " + KILLS + " routers killed, "
                        + background.sent.get() + " publications in the background");
            }
            assertThat(done.get()).isEqualTo(ROUNDS);
            assertThat(missed).isEmpty();

            routers.killAll();
            shouldNotSucceedWithoutRouters(near);
        }
    }

    private void shouldNotSucceedWithoutRouters(int port) {
        try (TestClient client = TestClient.connect(port, "late", p -> {})) {
            Answer answer =
                    client.subscribe("late/#", 1, descriptor(-1), "late").join();
            assertThat(answer.code()).isEqualTo(0x97);
            assertThat(answer.reason()).isNotBlank();
        }
    }

    private void run(int near, int far, TwoRouters routers) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SUBSCRIBERS);
        try (TestClient publisher = TestClient.connect(far, "publisher", p -> {});
                TestClient holder = TestClient.connect(far, "holder", p -> {})) {
            for (int i = 0; i < 10; i++) {
                subscribe(holder, "known/#", descriptor(i), "known-" + i);
            }
            List<Future<?>> running = new ArrayList<>();
            for (int s = 0; s < SUBSCRIBERS; s++) {
                int subscriber = s;
                running.add(threads.submit(() -> {
                    rounds(subscriber, near, publisher);
                    return null;
                }));
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                int due = kill * ROUNDS / (KILLS + 1);
                await().forever()
                        .until(() -> done.get() >= due || running.stream().anyMatch(Future::isDone));
                routers.killOne();
            }
            for (Future<?> future : running) {
                future.get(10, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void rounds(int subscriber, int port, TestClient publisher) throws Exception {
        Random random = new Random(subscriber);
        try (TestClient client = TestClient.connect(port, "subscriber-" + subscriber, this::received)) {
            for (int round = subscriber; round < ROUNDS; round += SUBSCRIBERS) {
                String id = "n" + round;
                String topic = "probe/" + round;
                // every other one is held by a client of the other edge
                String descriptor = descriptor(round % 2 == 0 ? 100 + round : round % 10);
                String entity = detectors.get(random.nextInt(detectors.size()));
                CompletableFuture<Void> arrival = new CompletableFuture<>();
                awaited.put(topic, arrival);
                subscribeAndPublish(client, publisher, topic, descriptor, id, entity);
                try {
                    arrival.get(ARRIVAL.toSeconds(), TimeUnit.SECONDS);
                } catch (TimeoutException e) {
                    missed.add(topic + " about " + entity);
                }
                awaited.remove(topic);
                client.unsubscribe(topic, id).join();
                done.incrementAndGet();
            }
        }
    }

    /** The publish is sent by the thread that completes the SUBACK. */
    private void subscribeAndPublish(
            TestClient client, TestClient publisher, String topic, String descriptor, String id, String entity) {
        Optional<Answer> published = Optional.empty();
        while (published.isEmpty()) {
            published = client.subscribe(topic, 1, descriptor, id)
                    .thenCompose(answer -> {
                        if (answer.code() == 0x97) {
                            refused.incrementAndGet();
                            return CompletableFuture.completedFuture(Optional.<Answer>empty());
                        }
                        assertThat(answer).isEqualTo(new Answer(1, ""));
                        return publisher.publish(topic, 1, "x", entity).thenApply(Optional::of);
                    })
                    .join();
        }
        assertThat(published).contains(new Answer(0, ""));
    }

    private void subscribe(TestClient client, String filter, String descriptor, String id) {
        Answer answer = client.subscribe(filter, 1, descriptor, id).join();
        while (answer.code() == 0x97) {
            refused.incrementAndGet();
            answer = client.subscribe(filter, 1, descriptor, id).join();
        }
        assertThat(answer).isEqualTo(new Answer(1, ""));
    }

    private void received(Mqtt5Publish publish) {
        CompletableFuture<Void> arrival = awaited.get(publish.getTopic().toString());
        if (arrival != null) {
            arrival.complete(null);
        }
    }

    /** All detectors; a different neighborhood for each number. */
    private String descriptor(int number) {
        Set<Integer> partitions = detectors.stream()
                .map(id -> Partitions.partitionOf(EntityId.of(id), SplitStack.TOPICS.partitions()))
                .collect(Collectors.toSet());
        assertThat(partitions).hasSizeGreaterThanOrEqualTo(SplitStack.TOPICS.partitions() / 2);
        return "{\"stages\":[{\"references\":[\"" + city.centralZone()
                + "\"],\"categories\":[\"detector\"],\"where\":{\"relation\":\"dwithin\",\"distance\":"
                + (1_000_000 + number) + "}}]}";
    }

    /** Publications about all detectors at a steady rate, to one subscriber of a neighborhood. */
    private final class Background implements AutoCloseable {
        private final AtomicLong sent = new AtomicLong();
        private final TestClient client;
        private final TestClient subscriber;
        private final Thread thread;
        private volatile boolean stopped;

        Background(int port) {
            client = TestClient.connect(port, "background", p -> {});
            subscriber = TestClient.connect(port, "background-subscriber", p -> {});
            subscribe(subscriber, "background/#", descriptor(-2), "background");
            thread = new Thread(this::run, "background");
            thread.start();
        }

        private void run() {
            long interval = TimeUnit.SECONDS.toNanos(1) / BACKGROUND_PER_SECOND;
            long start = System.nanoTime();
            for (long n = 0; !stopped; n++) {
                LockSupport.parkNanos(start + n * interval - System.nanoTime());
                var unused = client.publish("background/x", 0, "x", detectors.get((int) (n % detectors.size())));
                sent.incrementAndGet();
            }
        }

        @Override
        public void close() {
            stopped = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            client.close();
            subscriber.close();
        }
    }
}
