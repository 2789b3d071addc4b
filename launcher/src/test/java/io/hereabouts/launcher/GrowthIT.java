package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.Growth;
import io.hereabouts.model.entity.Category;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.guarantee.NoDeliveryOutsideFilter;
import io.hereabouts.testkit.guarantee.NoDuplicateDelivery;
import io.hereabouts.testkit.guarantee.NoLostDelivery;
import io.hereabouts.testkit.guarantee.PerEntityOrder;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running stack gets more partitions, whatever the command that does it is killed at. */
class GrowthIT {

    /** From one on; the long form is {@code 3,12,64}. */
    private static final List<Integer> PARTITIONS = Arrays.stream(
                    System.getProperty("hereabouts.growth.partitions", "3").split(","))
            .map(Integer::valueOf)
            .toList();

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String ZONE_DESCRIPTOR =
            "{\"stages\":[{\"references\":[\"zone/5\"],\"categories\":[\"detector\"],\"where\":{\"relation\":\"dwithin\","
                    + "\"distance\":2000}}]}";

    @TempDir
    Path folder;

    private final SeededCity city = SeededCity.generate(5, 4);
    private final List<String> detectors = city.entities().stream()
            .filter(e -> e.isA(Category.of("detector")))
            .map(e -> e.id().value())
            .toList();
    private final Random random = new Random(5);

    /** The command is gone, from one moment to the next. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Exactly once here; at least once is {@link BooksIT}'s. */
    @Test
    void shouldLoseNothingAndKeepEverySubackTrueWhileItGrows() throws Exception {
        Map<String, String> exactlyOnce =
                Map.of("router.guarantee", "exactly_once_v2", "router.commit-interval", "200ms");
        try (EmbeddedStack stack = launch(exactlyOnce);
                Load load = new Load(stack.mqttPort());
                Subacks subacks = new Subacks(stack.mqttPort())) {
            for (int partitions : PARTITIONS) {
                int kills = growWithKills(stack, partitions);
                System.out.println(partitions + " partitions after " + kills + " kills, " + load.sent.get()
                        + " published, " + subacks.rounds.get() + " subscriptions");
            }
            load.verify();
            subacks.verify();
        }
        // the settings still say one partition
        try (EmbeddedStack stack = launch(Map.of());
                Load load = new Load(stack.mqttPort())) {
            assertThat(now(stack))
                    .isEqualTo(Generations.only(
                            new Generation(1 + PARTITIONS.size(), PARTITIONS.get(PARTITIONS.size() - 1))));
            load.verify();
        }
    }

    @Test
    void shouldRefuseAndTakeBack() throws Exception {
        try (EmbeddedStack stack = launch(Map.of("topics.partitions", "2"));
                Load load = new Load(stack.mqttPort())) {
            assertRefused(stack, growth -> growth.to(1), "they can only become more, expected more than 2");
            assertRefused(stack, Growth::abort, "nothing grows");
            killAt(stack, 5, "made");
            assertRefused(stack, growth -> growth.to(4), "a growth to 5 partitions is under way");
            try (Growth growth = growth(stack, line -> {})) {
                growth.abort();
            }
            assertThat(now(stack)).isEqualTo(Generations.only(Generation.first(2)));

            // the same names again, other partitions
            killAt(stack, 3, "takes no more writes");
            assertRefused(stack, Growth::abort, "it can only be finished, with --partitions 3");
            assertThatThrownBy(() -> write(stack, "hereabouts.publications"))
                    .as("who has not heard of it is told")
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            try (Growth growth = growth(stack, line -> {})) {
                growth.to(3);
                growth.to(3);
            }
            assertThat(now(stack)).isEqualTo(Generations.only(new Generation(2, 3)));
            load.verify();
            try (TopicAdmin admin =
                    new TopicAdmin(stack.wiring().kafka(), stack.wiring().topics())) {
                assertThat(admin.partitionsOf("hereabouts.publications")).isEmpty();
                assertThat(admin.partitionsOf("hereabouts.filters")).isEmpty();
                assertThat(admin.check(admin.asGrown().fixed())).isEmpty();
            }
        }
    }

    private EmbeddedStack launch(Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(
                Map.of("data", folder.toString(), "kafka.port", "0", "mqtt.port", "0", "topics.partitions", "1"));
        settings.putAll(more);
        StackSettings all = Settings.load(Optional.empty(), settings, Map.of());
        return EmbeddedStack.launch(all, new SimpleMeterRegistry(), city.entities());
    }

    private static Growth growth(EmbeddedStack stack, Consumer<String> progress) {
        return new Growth(stack.wiring(), Set.of(), PATIENCE, progress);
    }

    private static Generations now(EmbeddedStack stack) throws Exception {
        try (Growth growth = growth(stack, line -> {})) {
            return growth.now();
        }
    }

    /** How often it was killed. */
    private int growWithKills(EmbeddedStack stack, int partitions) throws Exception {
        for (int kills = 0; ; kills++) {
            try (Growth growth = growth(stack, line -> {
                if (random.nextBoolean()) {
                    throw new Killed();
                }
            })) {
                growth.to(partitions);
                return kills;
            } catch (Killed e) {
                // somebody runs the command again
            }
        }
    }

    private static void killAt(EmbeddedStack stack, int partitions, String step) {
        assertThatThrownBy(() -> {
                    try (Growth growth = growth(stack, line -> {
                        if (line.contains(step)) {
                            throw new Killed();
                        }
                    })) {
                        growth.to(partitions);
                    }
                })
                .isInstanceOf(Killed.class);
    }

    private interface Attempt {
        void with(Growth growth) throws Exception;
    }

    private static void assertRefused(EmbeddedStack stack, Attempt attempt, String why) {
        try (Growth growth = growth(stack, line -> {})) {
            assertThatThrownBy(() -> attempt.with(growth))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(why);
        }
    }

    private static void write(EmbeddedStack stack, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(stack.wiring().kafka().producer("late"))) {
            producer.send(new ProducerRecord<>(topic, new byte[] {1}, new byte[] {2}))
                    .get();
        }
    }

    /** Publications all the time, for a neighborhood and for a plain topic filter. */
    private final class Load implements AutoCloseable {

        final AtomicInteger sent = new AtomicInteger();
        private final AtomicInteger delivered = new AtomicInteger();
        private final AtomicInteger expected = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();
        private final NoDuplicateDelivery duplicates = NoDuplicateDelivery.strict();
        private final Guarantees guarantees;
        private final Oracle oracle;
        private final List<TestClient> clients = new ArrayList<>();
        private final CompletableFuture<Void> publishing;

        Load(int port) throws Exception {
            var descriptor = new DescriptorParser(DescriptorLimits.DEFAULT).parse(ZONE_DESCRIPTOR);
            Set<Subscribed> subscriptions = Set.of(
                    Subscribed.neighborhood("near", "load/#", "n", descriptor, 1),
                    Subscribed.plain("all", "load/+", 1));
            oracle = new Oracle(city.entities(), subscriptions);
            guarantees = Guarantees.watching(
                    oracle, duplicates, NoLostDelivery.ofQos1(), new NoDeliveryOutsideFilter(), new PerEntityOrder());
            assertThat(client(port, "near")
                            .subscribe("load/#", 1, ZONE_DESCRIPTOR, "n")
                            .join()
                            .code())
                    .isEqualTo(1);
            assertThat(client(port, "all")
                            .subscribe("load/+", 1, null, null)
                            .join()
                            .code())
                    .isEqualTo(1);
            TestClient publisher = client(port, "publisher");
            awaitPlain(publisher);
            publishing = CompletableFuture.runAsync(() -> publish(publisher));
        }

        private TestClient client(int port, String id) {
            TestClient client = TestClient.connect(port, id, p -> received(id, p));
            clients.add(client);
            return client;
        }

        /** The SUBACK of a plain subscription does not wait for the router. */
        private void awaitPlain(TestClient publisher) {
            AtomicInteger probes = new AtomicInteger();
            await().atMost(PATIENCE).until(() -> {
                publisher
                        .publish("load/probe", 1, "probe-" + probes.incrementAndGet(), "detector/nowhere")
                        .join();
                return probed.get();
            });
        }

        private final AtomicBoolean probed = new AtomicBoolean();

        private void received(String client, Mqtt5Publish publish) {
            String id = new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
            if (id.startsWith("probe")) {
                probed.set(true);
                return;
            }
            String n = TestClient.userProperty(publish, "neighborhood-id");
            guarantees.delivered(Delivered.of(
                    id,
                    client,
                    n == null ? List.of() : List.of(n),
                    publish.getQos().getCode()));
            delivered.incrementAndGet();
        }

        private void publish(TestClient publisher) {
            Random choice = new Random(17);
            List<CompletableFuture<?>> acknowledged = new ArrayList<>();
            long interval = TimeUnit.SECONDS.toNanos(1) / 500;
            long start = System.nanoTime();
            for (int n = 0; !over.get() || n < 500; n++) {
                LockSupport.parkNanos(start + n * interval - System.nanoTime());
                String id = String.valueOf(n);
                String entity = detectors.get(choice.nextInt(detectors.size()));
                Published publication = new Published(id, "publisher", "load/x", entity, 1);
                expected.addAndGet(oracle.expect(publication).size());
                guarantees.publishing(publication);
                acknowledged.add(publisher.publish("load/x", 1, id, entity).thenAccept(answer -> {
                    assertThat(answer.code()).isZero();
                    guarantees.acknowledged(id);
                }));
                sent.incrementAndGet();
            }
            acknowledged.forEach(CompletableFuture::join);
        }

        void verify() throws Exception {
            over.set(true);
            publishing.get(1, TimeUnit.MINUTES);
            await().atMost(PATIENCE).until(() -> delivered.get() >= expected.get());
            guarantees.verify();
            assertThat(duplicates.repeats()).isZero();
        }

        @Override
        public void close() {
            over.set(true);
            clients.forEach(TestClient::close);
        }
    }

    /** Subscribes again and again, and publishes when it has the SUBACK: that must arrive. */
    private final class Subacks implements AutoCloseable {

        final AtomicInteger rounds = new AtomicInteger();
        private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
        private final Set<String> arrived = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean over = new AtomicBoolean();
        private final TestClient client;
        private final CompletableFuture<Void> subscribing;

        Subacks(int port) {
            client = TestClient.connect(
                    port, "subacks", p -> arrived.add(new String(p.getPayloadAsBytes(), StandardCharsets.UTF_8)));
            subscribing = CompletableFuture.runAsync(this::run);
        }

        private void run() {
            while (!over.get()) {
                String n = "n" + rounds.incrementAndGet();
                String entity = detectors.get(rounds.get() % detectors.size());
                String descriptor = "{\"stages\":[{\"references\":[\"" + entity + "\"],\"categories\":[\"detector\"],"
                        + "\"where\":{\"relation\":\"dwithin\",\"distance\":" + (5_000 + rounds.get()) + "}}]}";
                Answer answer =
                        client.subscribe("suback/" + n, 1, descriptor, n).join();
                if (answer.refused()) {
                    problems.add(n + " refused: " + answer);
                    continue;
                }
                String other = detectors.get((rounds.get() + 1) % detectors.size());
                client.publish("suback/" + n, 1, n, other).join();
                awaitArrival(n);
                client.unsubscribe("suback/" + n, n).join();
            }
        }

        private void awaitArrival(String n) {
            long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (!arrived.contains(n)) {
                if (System.nanoTime() > end) {
                    problems.add(n + " did not arrive");
                    return;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }

        void verify() throws Exception {
            over.set(true);
            subscribing.get(1, TimeUnit.MINUTES);
            assertThat(problems).isEmpty();
            // each growth met some
            assertThat(rounds).hasValueGreaterThan(2);
        }

        @Override
        public void close() {
            over.set(true);
            client.close();
        }
    }
}
