package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.EdgeRemoval;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the Kafka topic {@code edges} says, read record by record: its one partition is the order in which everything
 * about edges happened. Times are those at which Kafka appended, whatever clocks the hosts have. For one thread.
 */
public final class EdgeRegister {

    /**
     * The last heartbeat of an edge.
     *
     * @param run of the process that sent it
     * @param generation that it writes publications to
     * @param ready generation in which all of its interests are active
     * @param offset in {@code edges}
     * @param appendedAt milliseconds of Kafka's clock
     */
    public record Lease(String run, String host, int generation, int ready, long offset, long appendedAt) {}

    /**
     * The removal of an edge that is under way.
     *
     * @param host where the edge was
     * @param offset in {@code edges}
     * @param appendedAt milliseconds of Kafka's clock
     */
    public record Removal(RemovalPhase phase, String host, long offset, long appendedAt) {}

    private final Map<EdgeId, Lease> leases = new HashMap<>();
    private final Map<EdgeId, Removal> removals = new HashMap<>();
    private long end;
    private long now;

    /**
     * Reads the next record.
     *
     * @return what it was about; empty if it is a probe or cannot be read
     */
    public Optional<EdgeNews> read(long offset, long appendedAt, byte[] key, byte @Nullable [] value) {
        end = offset + 1;
        now = appendedAt;
        if (Keys.isProbe(key)) {
            return Optional.empty();
        }
        String text = new String(key, StandardCharsets.UTF_8);
        try {
            if (text.startsWith("?|")) {
                return Optional.of(new EdgeNews(EdgeId.of(text.substring(2)), EdgeNews.Kind.QUESTION));
            }
            return Optional.of(
                    text.startsWith("x|")
                            ? removal(EdgeId.of(text.substring(2)), offset, appendedAt, value)
                            : lease(EdgeId.of(text), offset, appendedAt, value));
        } catch (IllegalArgumentException | UndecodableException e) {
            // somebody else's record: nothing that is decided here depends on it
            return Optional.empty();
        }
    }

    private EdgeNews removal(EdgeId edge, long offset, long appendedAt, byte @Nullable [] value)
            throws UndecodableException {
        if (value == null) {
            removals.remove(edge);
        } else {
            EdgeRemoval removal = Framing.decode(value, EdgeRemoval.class);
            removals.put(
                    edge, new Removal(RemovalPhase.valueOf(removal.getPhase()), removal.getHost(), offset, appendedAt));
        }
        return new EdgeNews(edge, EdgeNews.Kind.REMOVAL);
    }

    private EdgeNews lease(EdgeId edge, long offset, long appendedAt, byte @Nullable [] value)
            throws UndecodableException {
        if (value == null) {
            leases.remove(edge);
            return new EdgeNews(edge, EdgeNews.Kind.LEASE_GONE);
        }
        EdgeLease lease = Framing.decode(value, EdgeLease.class);
        leases.put(
                edge,
                new Lease(
                        lease.getRun(), lease.getHost(), lease.getGeneration(), lease.getReady(), offset, appendedAt));
        return new EdgeNews(edge, EdgeNews.Kind.HEARTBEAT);
    }

    /** The offset behind the last record that was read. */
    public long end() {
        return end;
    }

    /** The leases of all edges that have one. */
    public Map<EdgeId, Lease> leases() {
        return Map.copyOf(leases);
    }

    /** The edge's lease, or null. */
    public @Nullable Lease lease(EdgeId edge) {
        return leases.get(edge);
    }

    /** The edge's removal that is under way, or null. */
    public @Nullable Removal removal(EdgeId edge) {
        return removals.get(edge);
    }

    /** Edges whose removal is under way. */
    public List<EdgeId> removals() {
        return List.copyOf(removals.keySet());
    }

    /** True if any edge has a lease. */
    public boolean hasLeases() {
        return !leases.isEmpty();
    }

    /** Edges whose last heartbeat is older than that, compared with the last record of all. */
    public List<EdgeId> silentFor(Duration expiry) {
        return leases.entrySet().stream()
                .filter(lease -> now - lease.getValue().appendedAt() >= expiry.toMillis())
                .map(Map.Entry::getKey)
                .toList();
    }
}
