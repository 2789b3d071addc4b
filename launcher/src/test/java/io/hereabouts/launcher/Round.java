package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.guarantee.Books;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.guarantee.Missing;
import io.hereabouts.testkit.guarantee.NoDeliveryOutsideFilter;
import io.hereabouts.testkit.guarantee.NoDuplicateDelivery;
import io.hereabouts.testkit.guarantee.NoLostDelivery;
import io.hereabouts.testkit.guarantee.PerEntityOrder;
import io.hereabouts.testkit.oracle.Published;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * Publications of a {@link CityLoad} at a steady rate, numbered over all rounds, with all guarantees watching and books of
 * their own. Begins, goes on while things happen, and is finished.
 */
final class Round {

    /** What has not come so long after it was published is late: more than a commit. */
    private static final Duration LATE = Duration.ofSeconds(1);

    /** Nothing being late for so long means that whatever happened is over; more than {@link #LATE}. */
    private static final Duration CALM = Duration.ofMillis(2_500);

    private static final Duration SETTLE = Duration.ofMinutes(2);
    private static final int SAMPLES_PER_SECOND = 50;

    private final CityLoad load;
    private final Random random;
    private final int perSecond;
    private final Callable<Map<String, Long>> drops;
    private final Map<String, Long> dropsBefore;
    private final Books books = new Books();
    private final NoDuplicateDelivery duplicates = NoDuplicateDelivery.strict();
    private final Missing missing = Missing.ofQos0();
    private final DeliveryGaps gaps = new DeliveryGaps();
    private final Guarantees guarantees;
    private final AtomicInteger sent = new AtomicInteger();
    private final CompletableFuture<Integer> over = new CompletableFuture<>();
    private final CompletableFuture<Double> published = new CompletableFuture<>();
    private volatile long lastLate;
    private volatile long sampled;

    /** What is done to a system. */
    interface Action {
        void happen() throws Exception;
    }

    /**
     * What came of it.
     *
     * @param sums of QoS 1 and of QoS 2
     * @param rate publications a second that were sent
     */
    record Outcome(List<Books.Sums> sums, long repeats, double rate) {
        double fanOut() {
            return all(Books.Sums::expected) / (double) all(Books.Sums::published);
        }

        long doubtful() {
            return all(Books.Sums::doubtful);
        }

        /** Everything that was to come has come. */
        void assertComplete() {
            assertThat(sums).allSatisfy(each -> {
                assertThat(each.droppedInAll()).isZero();
                assertThat(each.delivered()).isEqualTo(each.expected());
            });
        }

        private long all(ToLongFunction<Books.Sums> figure) {
            return sums.stream().mapToLong(figure).sum();
        }
    }

    Round(CityLoad load, Random random, int perSecond, Callable<Map<String, Long>> drops) throws Exception {
        this.load = load;
        this.random = random;
        this.perSecond = perSecond;
        this.drops = drops;
        this.dropsBefore = drops.call();
        this.guarantees = Guarantees.watching(
                load.oracle,
                books,
                missing,
                gaps,
                duplicates,
                NoLostDelivery.ofQos1(),
                new NoDeliveryOutsideFilter(),
                new PerEntityOrder());
    }

    void start() {
        Thread publisher = new Thread(this::run, "round");
        publisher.setDaemon(true);
        publisher.start();
    }

    private void run() {
        try {
            published.complete(publish());
        } catch (RuntimeException | Error e) {
            published.completeExceptionally(e);
        }
    }

    private double publish() {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long start = System.nanoTime();
        int n = 0;
        for (; !over.isDone() || n < over.join(); n++) {
            LockSupport.parkNanos(start + n * interval - System.nanoTime());
            if (n % (perSecond / SAMPLES_PER_SECOND) == 0) {
                sample(System.nanoTime());
            }
            answers.add(publishOne());
            sent.incrementAndGet();
        }
        double rate = n / ((System.nanoTime() - start) / 1e9);
        answers.forEach(CompletableFuture::join);
        return rate;
    }

    private CompletableFuture<Void> publishOne() {
        int number = load.numbers.getAndIncrement();
        int publisher = number % load.publishers.size();
        Publisher by = load.publishers.get(publisher);
        String id = String.valueOf(number);
        String topic = CityClients.topic(random);
        String entity = load.detectors.get(random.nextInt(load.detectors.size()));
        guarantees.publishing(new Published(id, CityLoad.publisher(publisher), topic, entity, by.qos()));
        return by.publish(topic, id, entity).thenAccept(taken -> {
            if (taken) {
                guarantees.acknowledged(id);
            } else {
                missing.inDoubt(id);
            }
        });
    }

    private void sample(long now) {
        if (missing.isAnyFromBefore(now - LATE.toNanos())) {
            lastLate = now;
        }
        sampled = now;
    }

    void delivered(Delivered delivery) {
        guarantees.delivered(delivery);
    }

    int sent() {
        return sent.get();
    }

    void awaitSent(int number) {
        await().atMost(SETTLE).until(() -> sent.get() >= number);
    }

    /** Does something to the system; returns for how long after that something was late. */
    Duration recoveryFrom(Action action) throws Exception {
        action.happen();
        return recoveryAfter(System.nanoTime());
    }

    private Duration recoveryAfter(long since) {
        await().atMost(SETTLE).until(() -> sampled - Math.max(lastLate, since) > CALM.toNanos());
        return Duration.ofNanos(Math.max(0, lastLate - since));
    }

    Duration longestGap() {
        return gaps.longest();
    }

    /**
     * Publishes no more, waits for what is missing, and holds everything against the books.
     *
     * @param atLeast so many are published first
     */
    Outcome finish(int atLeast) throws Exception {
        over.complete(atLeast);
        double rate = published.get(10, TimeUnit.MINUTES);
        await().atMost(SETTLE).until(() -> missing.oldest() == Integer.MAX_VALUE);
        Map<String, Long> dropped = new HashMap<>(drops.call());
        dropsBefore.forEach((reason, count) -> dropped.merge(reason, -count, Long::sum));
        dropped.forEach((reason, count) -> books.droppedUnnamed(reason, 1, count));
        guarantees.verify();
        return new Outcome(List.of(books.sums(1), books.sums(2)), duplicates.repeats(), rate);
    }

    /** Publishes no more, whatever came of it. */
    void abandon() {
        over.complete(0);
    }
}
