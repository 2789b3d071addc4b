package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.Growth;
import io.hereabouts.model.entity.Category;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.guarantee.Books;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantee;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.guarantee.NoDeliveryOutsideFilter;
import io.hereabouts.testkit.guarantee.NoDuplicateDelivery;
import io.hereabouts.testkit.guarantee.NoLostDelivery;
import io.hereabouts.testkit.guarantee.PerEntityOrder;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten clients of two edges, forty overlapping neighborhoods and some plain topic filters, two routers as processes of
 * their own: what is delivered is what the oracle expects, pair by pair, with a healthy system and with a router killed
 * and another stalled in the middle.
 */
class BooksIT {

    private static final int PUBLICATIONS = Integer.getInteger("hereabouts.books.publications", 60_000);
    private static final int OFFERED_PER_SECOND = 5_000;
    private static final int CLIENTS = 10;
    private static final int NEIGHBORHOODS_EACH = 4;
    private static final List<String> KINDS = List.of("speed", "count", "occupancy", "alarm");
    private static final Duration SETTLE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final SeededCity city = SeededCity.generate(11, 10);
    private final List<String> detectors = city.entities().stream()
            .filter(e -> e.isA(Category.of("detector")))
            .map(e -> e.id().value())
            .toList();
    private final Random random = new Random(11);
    private final MeterRegistry metrics = new SimpleMeterRegistry();

    private final Books books = new Books();
    private final NoDuplicateDelivery duplicates = NoDuplicateDelivery.strict();
    private final Missing missing = new Missing();
    private final AtomicInteger sent = new AtomicInteger();

    /** What happens to the routers while publications flow. */
    private interface Faults {
        void happen(SplitStack stack) throws Exception;
    }

    @Test
    void shouldDeliverExactlyWhatIsExpected() throws Exception {
        run("no faults", stack -> {});
    }

    @Test
    void shouldLoseNothingWhenARouterIsKilledAndAnotherStalls() throws Exception {
        run("one router killed, one stalled", stack -> {
            TwoRouters routers = stack.routers();
            awaitSent(PUBLICATIONS / 4);
            routers.killOne();
            awaitSent(PUBLICATIONS / 2);
            ComponentProcess stalled = routers.stallOne();
            // its partitions have moved when everything published while it stood still has arrived
            int then = Math.min(sent.get() + OFFERED_PER_SECOND, PUBLICATIONS);
            awaitSent(then);
            await().atMost(SETTLE).until(() -> missing.oldest() > then);
            stalled.wake();
        });
    }

    @Test
    void shouldLoseNothingAndKeepTheOrderWhilePartitionsGrow() throws Exception {
        run("12 to 20 partitions, a router killed at the switch", stack -> {
            awaitSent(OFFERED_PER_SECOND);
            try (Growth growth = new Growth(stack.wiring(), Set.of(), SETTLE, line -> {
                System.out.println(line);
                if (line.endsWith("publications go there")) {
                    stack.routers().killOne();
                }
            })) {
                growth.to(20);
                assertThat(growth.now()).isEqualTo(Generations.only(new Generation(2, 20)));
            }
        });
    }

    private void run(String name, Faults faults) throws Exception {
        Map<Subscribed, String> subscriptions = subscriptions();
        Oracle oracle = new Oracle(city.entities(), subscriptions.keySet());
        Guarantees guarantees = Guarantees.watching(
                oracle,
                books,
                missing,
                duplicates,
                NoLostDelivery.ofQos1(),
                new NoDeliveryOutsideFilter(),
                new PerEntityOrder());
        try (SplitStack stack = SplitStack.start(city, folder, EdgeConfig.Limits.DEFAULT, metrics)) {
            int[] ports = {stack.eastPort(), stack.westPort()};
            List<TestClient> clients = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                int client = c;
                clients.add(stack.add(
                        TestClient.connect(ports[c % ports.length], client(c), p -> received(client, p, guarantees))));
            }
            subscriptions.forEach((s, descriptor) -> subscribe(clients, s, descriptor));
            List<TestClient> publishers = new ArrayList<>();
            for (int p = 0; p < 4; p++) {
                publishers.add(stack.add(TestClient.connect(ports[p % ports.length], "publisher-" + p, m -> {})));
            }

            CompletableFuture<Void> over = new CompletableFuture<>();
            CompletableFuture<Double> published =
                    CompletableFuture.supplyAsync(() -> publish(publishers, guarantees, over));
            try {
                faults.happen(stack);
            } finally {
                over.complete(null);
            }
            double rate = published.get(10, TimeUnit.MINUTES);
            await().atMost(SETTLE).until(() -> missing.oldest() == Integer.MAX_VALUE);
            countDrops();
            Books.Sums sums = books.sums(1);
            System.out.printf(
                    "books, %s: %s, repeats %d, offered %d/s, reached %.0f/s, mean fan-out %.2f%n",
                    name,
                    sums,
                    duplicates.repeats(),
                    OFFERED_PER_SECOND,
                    rate,
                    sums.expected() / (double) sums.published());
            guarantees.verify();
            assertThat(sums.doubtful()).isZero();
            assertThat(sums.droppedInAll()).isZero();
            assertThat(sums.delivered()).isEqualTo(sums.expected());
            assertThat(sums.expected() / (double) sums.published()).isBetween(2.0, 3.0);
        }
    }

    /** Forty neighborhoods, those of one client overlap with its others and with those of the next, and two plain ones. */
    private Map<Subscribed, String> subscriptions() throws Exception {
        DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);
        Map<Subscribed, String> subscriptions = new LinkedHashMap<>();
        for (int c = 0; c < CLIENTS; c++) {
            for (int n = 0; n < NEIGHBORHOODS_EACH; n++) {
                int zone = 1 + (7 * c + 11 * n) % (city.size() * city.size());
                String descriptor = "{\"stages\":[{\"references\":[\"zone/" + zone
                        + "\"],\"categories\":[\"detector\"],\"where\":{\"relation\":\"dwithin\",\"distance\":"
                        + (700 + 40 * c + 10 * n) + "}}]}";
                String filter = n % 2 == 0 ? "traffic/#" : "traffic/+/" + KINDS.get(c % KINDS.size());
                subscriptions.put(
                        Subscribed.neighborhood(client(c), filter, "n" + n, parser.parse(descriptor), 1), descriptor);
            }
        }
        subscriptions.put(Subscribed.plain(client(0), "traffic/north/alarm", 1), "");
        subscriptions.put(Subscribed.plain(client(1), "traffic/+/occupancy", 1), "");
        return subscriptions;
    }

    private static void subscribe(List<TestClient> clients, Subscribed s, String descriptor) {
        TestClient client = clients.get(number(s.client()));
        Answer answer = descriptor.isEmpty()
                ? client.subscribe(s.topicFilter(), 1, null, null).join()
                : client.subscribe(s.topicFilter(), 1, descriptor, s.neighborhoodId())
                        .join();
        assertThat(answer).isEqualTo(new Answer(1, ""));
    }

    /**
     * Returns the rate that was reached, acknowledgements included.
     *
     * @param over it goes on until this is done
     */
    private double publish(List<TestClient> publishers, Guarantees guarantees, CompletableFuture<Void> over) {
        List<CompletableFuture<?>> acknowledged = new ArrayList<>();
        long interval = TimeUnit.SECONDS.toNanos(1) / OFFERED_PER_SECOND;
        long start = System.nanoTime();
        int n = 0;
        for (; n < PUBLICATIONS || !over.isDone(); n++) {
            LockSupport.parkNanos(start + n * interval - System.nanoTime());
            int publisher = n % publishers.size();
            String id = String.valueOf(n);
            String topic = "traffic/" + (random.nextBoolean() ? "north" : "south") + "/"
                    + KINDS.get(random.nextInt(KINDS.size()));
            String entity = detectors.get(random.nextInt(detectors.size()));
            guarantees.publishing(new Published(id, "publisher-" + publisher, topic, entity, 1));
            acknowledged.add(
                    publishers.get(publisher).publish(topic, 1, id, entity).thenAccept(answer -> {
                        if (answer.code() == 0) {
                            guarantees.acknowledged(id);
                        }
                    }));
            sent.incrementAndGet();
        }
        acknowledged.forEach(CompletableFuture::join);
        return n / ((System.nanoTime() - start) / 1e9);
    }

    private void received(int client, Mqtt5Publish publish, Guarantees guarantees) {
        String id = new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
        List<String> neighborhoods = publish.getUserProperties().asList().stream()
                .filter(p -> p.getName().toString().equals("neighborhood-id"))
                .map(p -> p.getValue().toString())
                .toList();
        guarantees.delivered(
                Delivered.of(id, client(client), neighborhoods, publish.getQos().getCode()));
    }

    private void countDrops() {
        for (Counter counter :
                metrics.find("hereabouts.edge.dropped").tag("qos", "1").counters()) {
            books.droppedUnnamed(String.valueOf(counter.getId().getTag("reason")), 1, (long) counter.count());
        }
    }

    private void awaitSent(int number) {
        await().atMost(SETTLE).until(() -> sent.get() >= number);
    }

    private static String client(int number) {
        return "client-" + number;
    }

    private static int number(String client) {
        return Integer.parseInt(client.substring("client-".length()));
    }

    /** Expected copies that have not come, oldest first; repeats change nothing. */
    private static final class Missing implements Guarantee {
        private final ConcurrentSkipListSet<Long> copies = new ConcurrentSkipListSet<>();

        @Override
        public String promise() {
            return "everything comes";
        }

        @Override
        public void publishing(Published publication, List<Expected> expected) {
            expected.forEach(copy -> copies.add(key(publication.id(), copy.client())));
        }

        @Override
        public void delivered(Delivered delivery) {
            copies.remove(key(delivery.publication(), delivery.client()));
        }

        @Override
        public List<String> violations() {
            return copies.isEmpty() ? List.of() : List.of(copies.size() + " copies did not come");
        }

        /** Number of the oldest publication that somebody misses; {@code Integer.MAX_VALUE} if nobody misses anything. */
        int oldest() {
            Iterator<Long> oldest = copies.iterator();
            return oldest.hasNext() ? (int) (oldest.next() / CLIENTS) : Integer.MAX_VALUE;
        }

        private static long key(String publication, String client) {
            return Long.parseLong(publication) * CLIENTS + number(client);
        }
    }
}
