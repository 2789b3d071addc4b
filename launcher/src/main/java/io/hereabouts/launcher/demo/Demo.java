package io.hereabouts.launcher.demo;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.guarantee.Books;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.guarantee.NoDeliveryOutsideFilter;
import io.hereabouts.testkit.guarantee.NoDuplicateDelivery;
import io.hereabouts.testkit.guarantee.PerEntityOrder;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Subscribes three neighborhoods of a made-up city and a plain topic filter, lets its detectors publish, prints what
 * arrives, and compares it with what a brute-force oracle expects.
 */
public final class Demo {

    private static final String PUBLISHER = "detectors";
    static final String TOPIC = "traffic/readings";
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private final SeededCity city;
    private final String host;
    private final int port;
    private final int rate;
    private final MeterRegistry metrics;
    private final Consumer<String> print;
    private final List<DemoSubscriber> subscribers = new ArrayList<>();
    private final Books books = new Books();
    private final Semaphore arrivals = new Semaphore(0);
    private final AtomicLong published = new AtomicLong();
    private final Map<String, Long> expected = new TreeMap<>();

    /**
     * A demo against a running edge whose world is this city.
     *
     * @param rate readings a second, at least 1
     * @param metrics where the edge counts what it drops
     * @param print gets each line for the user, from several threads
     */
    public Demo(SeededCity city, String host, int port, int rate, MeterRegistry metrics, Consumer<String> print) {
        this.city = city;
        this.host = host;
        this.port = port;
        this.rate = rate;
        this.metrics = metrics;
        this.print = print;
    }

    /**
     * Runs until {@code end} opens or the time is over, then prints the closing table.
     *
     * @return true if the books balance: everything expected arrived once or was counted as dropped, nothing else came
     */
    public boolean run(Duration duration, CountDownLatch end) throws InterruptedException {
        subscribers.add(neighborhood("one-stage", city.oneStageDescriptor()));
        subscribers.add(neighborhood("two-stage", city.twoStageDescriptor()));
        subscribers.add(neighborhood("boolean", city.booleanDescriptor()));
        subscribers.add(new DemoSubscriber(Subscribed.plain("plain", "traffic/#", 1), null, host, port));
        List<Subscribed> subscriptions =
                subscribers.stream().map(DemoSubscriber::subscription).toList();
        Oracle oracle = new Oracle(city.entities(), subscriptions);
        Guarantees guarantees = Guarantees.watching(
                oracle, books, NoDuplicateDelivery.strict(), new PerEntityOrder(), new NoDeliveryOutsideFilter());
        for (DemoSubscriber subscriber : subscribers) {
            subscriber.start(guarantees, line -> {
                print.accept(line);
                arrivals.release();
            });
            print.accept("subscribed " + subscriber.subscription().client());
        }
        publish(duration, end, oracle, guarantees);
        awaitDeliveries();
        subscribers.forEach(DemoSubscriber::stop);
        return report(guarantees);
    }

    private DemoSubscriber neighborhood(String name, String descriptor) {
        try {
            Subscribed subscription = Subscribed.neighborhood(
                    name, "traffic/#", name, new DescriptorParser(DescriptorLimits.DEFAULT).parse(descriptor), 1);
            return new DemoSubscriber(subscription, descriptor, host, port);
        } catch (InvalidDescriptorException e) {
            throw new IllegalStateException("the city's own descriptor " + name, e);
        }
    }

    private void publish(Duration duration, CountDownLatch end, Oracle oracle, Guarantees guarantees)
            throws InterruptedException {
        List<PhysicalEntity> detectors = city.entities().stream()
                .filter(e -> e.isA(Category.of("detector")))
                .toList();
        Random random = new Random(city.seed());
        Mqtt5AsyncClient client = Mqtt5Client.builder()
                .identifier(PUBLISHER)
                .serverHost(host)
                .serverPort(port)
                .buildAsync();
        client.connect().join();
        List<CompletableFuture<?>> acks = new ArrayList<>();
        long start = System.nanoTime();
        long interval = TimeUnit.SECONDS.toNanos(1) / rate;
        for (long n = 1; n * interval < duration.toNanos(); n++) {
            long wait = start + n * interval - System.nanoTime();
            if (end.await(Math.max(0, wait), TimeUnit.NANOSECONDS)) {
                break;
            }
            String entity = detectors.get(random.nextInt(detectors.size())).id().value();
            Reading reading = new Reading(String.valueOf(n), random.nextInt(40), 20 + random.nextInt(80));
            acks.removeIf(CompletableFuture::isDone);
            acks.add(send(client, reading, entity, oracle, guarantees));
        }
        CompletableFuture.allOf(acks.toArray(CompletableFuture[]::new))
                .exceptionally(e -> null)
                .join();
        client.disconnect().exceptionally(e -> null).join();
    }

    private CompletableFuture<?> send(
            Mqtt5AsyncClient client, Reading reading, String entity, Oracle oracle, Guarantees guarantees) {
        Published publication = new Published(reading.id(), PUBLISHER, TOPIC, entity, 1);
        for (Expected copy : oracle.expect(publication)) {
            expected.merge(copy.client(), 1L, Long::sum);
        }
        guarantees.publishing(publication);
        published.incrementAndGet();
        return client.publish(Mqtt5Publish.builder()
                        .topic(TOPIC)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .payload(reading.payload())
                        .userProperties(Mqtt5UserProperties.builder()
                                .add(UserPropertyNames.DEFAULT.entity(), entity)
                                .build())
                        .build())
                .thenAccept(result -> guarantees.acknowledged(reading.id()));
    }

    /** Waits until everything expected has come, as long as something still comes. */
    private void awaitDeliveries() throws InterruptedException {
        long total = expected.values().stream().mapToLong(Long::longValue).sum();
        boolean coming = true;
        while (coming && delivered() < total) {
            coming = arrivals.tryAcquire(SETTLE.toMillis(), TimeUnit.MILLISECONDS);
        }
        arrivals.drainPermits();
    }

    private long delivered() {
        return subscribers.stream().mapToLong(DemoSubscriber::delivered).sum();
    }

    private boolean report(Guarantees guarantees) {
        for (Counter counter :
                metrics.find("hereabouts.edge.dropped").tag("qos", "1").counters()) {
            books.droppedUnnamed(String.valueOf(counter.getId().getTag("reason")), 1, (long) counter.count());
        }
        Books.Sums sums = books.sums(1);
        print.accept("");
        print.accept(String.format("%-12s %9s %9s %9s", "subscriber", "published", "expected", "delivered"));
        for (DemoSubscriber s : subscribers) {
            print.accept(String.format(
                    "%-12s %9d %9d %9d",
                    s.subscription().client(),
                    published.get(),
                    expected.getOrDefault(s.subscription().client(), 0L),
                    s.delivered()));
        }
        print.accept("dropped by reason: " + (sums.droppedInAll() == 0 ? "none" : sums));
        List<String> violations = guarantees.violations();
        violations.forEach(print);
        print.accept(violations.isEmpty() ? "the books balance" : "the books do NOT balance");
        return violations.isEmpty();
    }
}
