package io.hereabouts.bridge.loop;

import io.hereabouts.model.interest.EdgeId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The edge's counters: {@code hereabouts.edge.*}. HiveMQ's own drop counter also counts what we took. Thread-safe. */
public final class EdgeMetrics {

    private static final int MAX_QOS = 2;

    /** Where the latency's buckets end. */
    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final Counter[] published;
    private final Counter[] delivered;
    private final Timer[] latency;

    public EdgeMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.published = byQos(qos -> registry.counter("hereabouts.edge.published", "qos", qos), Counter[]::new);
        this.delivered = byQos(qos -> registry.counter("hereabouts.edge.delivered", "qos", qos), Counter[]::new);
        this.latency = byQos(
                qos -> Timer.builder("hereabouts.edge.latency")
                        .tag("qos", qos)
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry),
                Timer[]::new);
    }

    /** Found by index: what is counted for each message looks nothing up. */
    private static <M> M[] byQos(Function<String, M> meter, IntFunction<M[]> array) {
        return IntStream.rangeClosed(0, MAX_QOS)
                .mapToObj(String::valueOf)
                .map(meter)
                .toArray(array);
    }

    /** A spatial publication that Kafka acknowledged. */
    public void published(int qos) {
        published[qos].increment();
    }

    /** A copy for a client that the broker wrote (QoS 0) or the client acknowledged (QoS 1 and 2). */
    public void delivered(int qos) {
        delivered[qos].increment();
    }

    /**
     * How long a publication took from the edge that received it to the client it is written to.
     *
     * @param millis negative if the clocks of two edges differ by more than that: counted as 0
     */
    public void latency(int qos, long millis) {
        latency[qos].record(Math.max(0, millis), TimeUnit.MILLISECONDS);
    }

    /** A retained publication that the broker writes to a client. */
    public void retainedHandedOut(int qos) {
        count("hereabouts.edge.retained.handed.out", "qos", String.valueOf(qos));
    }

    /**
     * A message without entity between edges.
     *
     * @param direction out: this edge has brought it to Kafka; in: it came from there
     */
    public void carried(String direction) {
        count("hereabouts.edge.carried", "direction", direction);
    }

    /** A publication or a copy that goes no further. */
    public void dropped(String reason, int qos) {
        dropped(reason, qos, 1);
    }

    /** Several at once. */
    public void dropped(String reason, int qos, int count) {
        if (count == 0) {
            return;
        }
        counter("hereabouts.edge.dropped", "reason", reason, "qos", String.valueOf(qos))
                .increment(count);
    }

    /** A packet that was answered with an error. */
    public void refused(String packet, String reason) {
        counter("hereabouts.edge.refused", "packet", packet, "reason", reason.toLowerCase(Locale.ROOT))
                .increment();
    }

    /** Reserved user properties that a client sent and nobody will see. */
    public void stripped(int properties) {
        counter("hereabouts.edge.stripped", "", "", "", "").increment(properties);
    }

    /** A delivery that this edge has had. */
    public void repeated() {
        counter("hereabouts.edge.repeats", "", "", "", "").increment();
    }

    /** What came from Kafka and could not be read or dealt with, or is of a deposed router task. */
    public void ignored(String reason) {
        count("hereabouts.edge.ignored", "reason", reason);
    }

    /** This edge has lost its lease and ends. */
    public void leaseLost(String reason) {
        count("hereabouts.edge.leases.lost", "reason", reason);
    }

    /** What a client has subscribed was not the same everywhere, and is now. */
    public void repaired(String kind) {
        count("hereabouts.edge.repaired", "kind", kind);
    }

    /** The security file has changed. */
    public void securityReload(String outcome) {
        count("hereabouts.edge.security.reloads", "outcome", outcome);
    }

    /** A will about an entity was published, or why not. */
    public void will(String outcome) {
        count("hereabouts.edge.wills", "outcome", outcome);
    }

    /** A client was to be told what became of its neighborhood. */
    public void status(String outcome) {
        count("hereabouts.edge.statuses", "outcome", outcome);
    }

    /**
     * A publication for a group that goes to another of its members.
     *
     * @param to member: of this edge; edge: of whichever the router chooses
     */
    public void handedOn(String to) {
        count("hereabouts.edge.handed.on", "to", to);
    }

    /** A subscription that spatial publications do not reach. */
    public void unserved(String reason) {
        count("hereabouts.edge.unserved", "reason", reason);
    }

    /** A value of one edge that is read when somebody looks. */
    public void gauge(String name, EdgeId edge, Supplier<Number> value) {
        Gauge.builder(name, value).tag("edge", edge.value()).register(registry);
    }

    private void count(String name, String tag, String value) {
        counter(name, tag, value, "", "").increment();
    }

    private Counter counter(String name, String tag1, String value1, String tag2, String value2) {
        String key = name + '\0' + value1 + '\0' + value2;
        Counter known = counters.get(key);
        if (known != null) {
            return known;
        }
        return counters.computeIfAbsent(key, k -> {
            Counter.Builder builder = Counter.builder(name);
            if (!tag1.isEmpty()) {
                builder.tag(tag1, value1);
            }
            if (!tag2.isEmpty()) {
                builder.tag(tag2, value2);
            }
            return builder.register(registry);
        });
    }
}
