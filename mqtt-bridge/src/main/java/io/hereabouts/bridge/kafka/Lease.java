package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.record.Framing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in Kafka that the edge lives, where, and where its deliveries go. Owned by the edge's thread. */
public final class Lease {

    private final byte[] key;
    private final String deliveriesTopic;
    private final CompactedTable edges;
    private final Clock clock;
    private final String host = hostName();
    private final String run;
    private int generation;
    private int ready;
    private @Nullable Long renewedAt;
    private boolean lost;

    /**
     * A lease that nobody knows of yet.
     *
     * @param generation that the edge writes publications to, and in which its interests are active
     * @param run names this process among all that have or had the edge's id
     */
    public Lease(EdgeId edge, String deliveriesTopic, int generation, CompactedTable edges, Clock clock, String run) {
        this.key = Keys.lease(edge);
        this.deliveriesTopic = deliveriesTopic;
        this.edges = edges;
        this.clock = clock;
        this.generation = generation;
        this.ready = generation;
        this.run = run;
    }

    /** What is written into {@code edges} now. */
    public byte[] record() {
        return record(clock.millis());
    }

    private byte[] record(long now) {
        return Framing.encode(new EdgeLease(host, deliveriesTopic, generation, now, ready, run));
    }

    /** Still here. */
    public void renew() {
        if (lost) {
            return;
        }
        long now = clock.millis();
        edges.put(Partitions.partitionOf(key, 1), key, record(now), () -> renewedAt = now);
    }

    /** It is no longer this process': nothing is said under its key any more. */
    public void lose() {
        lost = true;
    }

    /** The edge writes publications to this generation, and Kafka has all that it wrote to others. */
    public void writesTo(int newGeneration) {
        if (generation != newGeneration) {
            generation = newGeneration;
            renew();
        }
    }

    /** All interests of the edge are active in this generation. */
    public void readyFor(int newGeneration) {
        if (ready != newGeneration) {
            ready = newGeneration;
            renew();
        }
    }

    /** How old the heartbeat is that Kafka has; empty if it has none. */
    public Optional<Duration> age(long now) {
        Long at = renewedAt;
        return at == null ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, now - at)));
    }

    /** No longer here. */
    public void end() {
        if (lost) {
            return;
        }
        edges.put(Partitions.partitionOf(key, 1), key, null, () -> {});
    }

    /** Sends again what Kafka did not take. */
    public void retry() {
        if (!lost) {
            edges.retry();
        }
    }

    /** True if Kafka has the last word. */
    public boolean isStored() {
        return lost || edges.unstored() == 0;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
