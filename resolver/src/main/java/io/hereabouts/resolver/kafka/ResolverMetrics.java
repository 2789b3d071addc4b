package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.filters.Reaction;
import io.hereabouts.resolver.filters.Reply;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The resolver's meters. Thread-safe. */
public final class ResolverMetrics {

    private final MeterRegistry meters;
    private final AtomicInteger neighborhoods = new AtomicInteger();
    private final AtomicInteger refreshes = new AtomicInteger();

    ResolverMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    /** The meters of a process that resolves; one that only feeds a world has no neighborhoods to publish. */
    public static ResolverMetrics ofResolver(MeterRegistry meters) {
        ResolverMetrics metrics = new ResolverMetrics(meters);
        metrics.publishNeighborhoods();
        return metrics;
    }

    private void publishNeighborhoods() {
        Gauge.builder("hereabouts.resolver.neighborhoods", neighborhoods, AtomicInteger::get)
                .description("neighborhoods that this resolver knows")
                .register(meters);
        Gauge.builder("hereabouts.resolver.refreshes.waiting", refreshes, AtomicInteger::get)
                .description("neighborhoods that wait to be resolved again because the world changed")
                .register(meters);
    }

    /** A request was answered, or an interest given up. */
    void request(String outcome) {
        meters.counter("hereabouts.resolver.requests", "outcome", outcome).increment();
    }

    void request(Reply.Outcome outcome) {
        request(outcome.name().toLowerCase(Locale.ROOT));
    }

    /** A neighborhood was resolved or refused by the world. */
    void resolution(String outcome, Duration duration) {
        Timer.builder("hereabouts.resolver.resolutions")
                .tag("outcome", outcome)
                .register(meters)
                .record(duration);
    }

    /** Something was not passed on. */
    void dropped(String reason) {
        meters.counter("hereabouts.resolver.dropped", "reason", reason).increment();
    }

    /** This resolver took its partitions over, or began again after an error. */
    void takeover() {
        meters.counter("hereabouts.resolver.takeovers").increment();
    }

    /** What became of an edge that was not heard of for too long. */
    void edge(String outcome) {
        meters.counter("hereabouts.resolver.edges", "outcome", outcome).increment();
    }

    /** Records for an edge that was removed before it took them. */
    void lostWithEdge(long records) {
        meters.counter("hereabouts.resolver.deliveries.lost").increment((double) records);
    }

    /** Wills that clients of an edge that is gone left behind, and that were published. */
    void wills(int published) {
        meters.counter("hereabouts.resolver.wills").increment(published);
    }

    /** A change of the world was compared with the neighborhoods. */
    void change(Reaction reaction, Duration duration) {
        Timer.builder("hereabouts.resolver.world.changes").register(meters).record(duration);
        meters.counter("hereabouts.resolver.footprints", "outcome", "spared")
                .increment((double) reaction.lookedAt() - reaction.affected());
        meters.counter("hereabouts.resolver.footprints", "outcome", "affected").increment(reaction.affected());
    }

    /**
     * How things stand.
     *
     * @param known neighborhoods
     * @param waiting those that are to be resolved again
     */
    void neighborhoods(int known, int waiting) {
        neighborhoods.set(known);
        refreshes.set(waiting);
    }
}
