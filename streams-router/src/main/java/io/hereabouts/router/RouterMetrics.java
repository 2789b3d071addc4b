package io.hereabouts.router;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/** What a router counts. Thread-safe. */
final class RouterMetrics {

    private final MeterRegistry registry;
    private final LongAdder publications = new LongAdder();
    private final LongAdder deliveries = new LongAdder();
    private final LongAdder unmatched = new LongAdder();
    private final Counter applied;
    private final Counter deposed;
    private final Counter edgeGone;
    private final Counter tooLarge;
    private final Counter handedOn;
    private final Counter groupGone;
    private final Timer loads;
    private final Set<FilterStore> open = ConcurrentHashMap.newKeySet();
    /** Records of {@code filters} that a load has before it, by Kafka topic and partition. */
    private final Map<TopicPartition, Long> toLoad = new ConcurrentHashMap<>();

    private final Set<Supplier<Number>> lags = ConcurrentHashMap.newKeySet();

    RouterMetrics(MeterRegistry registry) {
        this.registry = registry;
        counter("hereabouts.router.publications", publications);
        counter("hereabouts.router.deliveries", deliveries);
        counter("hereabouts.router.unmatched", unmatched);
        this.applied = registry.counter("hereabouts.router.applied");
        this.deposed = registry.counter("hereabouts.router.deposed");
        this.edgeGone = dropped("edge_gone");
        this.tooLarge = dropped("delivery_too_large");
        this.handedOn = registry.counter("hereabouts.router.handed.on");
        this.groupGone = dropped("group_gone");
        this.loads = registry.timer("hereabouts.router.load");
        gauge(
                "hereabouts.router.load.remaining",
                () -> toLoad.values().stream().mapToLong(Long::longValue).sum());
        gauge(
                "hereabouts.router.lag",
                () -> lags.stream().mapToDouble(lag -> lag.get().doubleValue()).sum());
        Gauge.builder("hereabouts.router.partitions", open, Set::size).register(registry);
        sum("hereabouts.router.pairs", FilterStore.Figures::pairs);
        sum("hereabouts.router.interests", FilterStore.Figures::interests);
        sum("hereabouts.router.index.bytes", FilterStore.Figures::bytes);
    }

    /** A router of this process is this far behind. */
    void routes(Supplier<Number> lag) {
        lags.add(lag);
    }

    void routesNoMore(Supplier<Number> lag) {
        lags.remove(lag);
    }

    private void gauge(String name, Supplier<Number> value) {
        Gauge.builder(name, value).register(registry);
    }

    private void sum(String name, ToLongFunction<FilterStore.Figures> figure) {
        gauge(
                name,
                () -> open.stream().map(FilterStore::figures).mapToLong(figure).sum());
    }

    void publication() {
        publications.increment();
    }

    void delivery() {
        deliveries.increment();
    }

    void nothingMatched() {
        unmatched.increment();
    }

    void applied() {
        applied.increment();
    }

    void deposed() {
        deposed.increment();
    }

    void edgeGone() {
        edgeGone.increment();
    }

    void deliveryTooLarge() {
        tooLarge.increment();
    }

    /** What an edge handed on goes to another. */
    void handedOn() {
        handedOn.increment();
    }

    /** What an edge handed on is nobody's any more. */
    void groupGone() {
        groupGone.increment();
    }

    /** Publications that Kafka had deleted before they were routed. */
    void lostToRetention(long count) {
        dropped("retention").increment((double) count);
    }

    void deadLetter(String reason) {
        registry.counter("hereabouts.router.dead_letters", "reason", reason).increment();
    }

    void undecodableInLoad() {
        registry.counter("hereabouts.router.load.skipped").increment();
    }

    /** The load of this partition has so many offsets before it. */
    void toLoad(TopicPartition partition, long offsets) {
        toLoad.put(partition, offsets);
    }

    /** The load of this partition is at its end, or was given up. */
    void loadEnds(TopicPartition partition) {
        toLoad.remove(partition);
    }

    void loaded(Duration took) {
        loads.record(took);
    }

    void threadDied() {
        registry.counter("hereabouts.router.threads.died").increment();
    }

    void opened(FilterStore store) {
        open.add(store);
    }

    void closed(FilterStore store) {
        open.remove(store);
    }

    private Counter dropped(String reason) {
        return registry.counter("hereabouts.router.dropped", "reason", reason);
    }

    private void counter(String name, LongAdder adder) {
        FunctionCounter.builder(name, adder, LongAdder::doubleValue).register(registry);
    }
}
