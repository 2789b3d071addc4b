package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.EdgeNews;
import io.hereabouts.schemas.kafka.EdgeRegister;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.Keys;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process becomes the one that has an edge id. It asks whoever has the lease, who renews it at once if he lives; a
 * process that was killed does not, and its successor goes on after {@link #ANSWER}. Of two that start at the same time
 * the first in the order of the Kafka topic {@code edges} gets it. While a resolver removes the edge as one that is gone
 * it waits. No clocks are compared.
 */
public final class LeaseClaim {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClaim.class);

    /** Within this time an edge that lives renews its lease when it is asked. */
    static final Duration ANSWER = Duration.ofSeconds(2);

    private static final Duration REMOVAL = Duration.ofSeconds(60);

    private final EdgesLog log;
    private final EdgeId edge;
    private final Duration removalPatience;
    private long own;
    private EdgeRegister.@Nullable Lease rival;
    private EdgeRegister.@Nullable Removal removal;

    private LeaseClaim(EdgesLog log, EdgeId edge, Duration removalPatience) {
        this.log = log;
        this.edge = edge;
        this.removalPatience = removalPatience;
    }

    /**
     * Takes the lease.
     *
     * @param lease of the claiming process
     * @return the run of the process that had it and did not answer; empty if nobody had it
     * @throws IllegalStateException if another process has it, naming its host, or no resolver finishes a removal
     */
    public static String take(EdgesLog log, EdgeId edge, byte[] lease) throws InterruptedException {
        return take(log, edge, lease, REMOVAL);
    }

    /** As above, with the time that a removal may take. */
    static String take(EdgesLog log, EdgeId edge, byte[] lease, Duration removalPatience) throws InterruptedException {
        return new LeaseClaim(log, edge, removalPatience).take(lease);
    }

    private String take(byte[] lease) throws InterruptedException {
        log.readToEnd();
        while (true) {
            awaitRemoval();
            refuseIfAlive();
            EdgeRegister.Lease before = log.register().lease(edge);
            long seen = log.register().end();
            rival = null;
            own = log.write(Keys.lease(edge), lease);
            log.readTo(own, news -> noteWhatCameFirst(news, seen));
            if (rival != null) {
                throw runsAlready(rival);
            }
            if (removal == null || !removal.phase().isExclusive()) {
                return before == null ? "" : before.run();
            }
        }
    }

    private void noteWhatCameFirst(EdgeNews news, long seen) {
        EdgeRegister.Lease lease = log.register().lease(edge);
        if (!news.edge().equals(edge) || news.kind() != EdgeNews.Kind.HEARTBEAT || lease == null) {
            return;
        }
        if (lease.offset() == own) {
            removal = log.register().removal(edge);
        } else if (lease.offset() >= seen && lease.offset() < own) {
            rival = lease;
        }
    }

    private void awaitRemoval() {
        if (isBeingRemoved()) {
            LOG.warn("edge {} waits: it is being removed, because its lease was older than edge.expiry", edge);
            if (!log.await(() -> !isBeingRemoved(), removalPatience)) {
                throw new IllegalStateException("edge '" + edge + "' is being removed, because its lease was older than"
                        + " edge.expiry, and no resolver has finished that within " + removalPatience.toSeconds()
                        + " s");
            }
        }
    }

    private boolean isBeingRemoved() {
        EdgeRegister.Removal now = log.register().removal(edge);
        return now != null && now.phase().isExclusive();
    }

    private void refuseIfAlive() throws InterruptedException {
        if (log.register().lease(edge) == null) {
            return;
        }
        long asked = log.write(Keys.leaseQuestion(edge), null);
        log.readTo(asked, news -> {});
        if (log.await(() -> renewedSince(asked) != null, ANSWER)) {
            throw runsAlready(Objects.requireNonNull(renewedSince(asked)));
        }
        LOG.info("edge {} was not ended: nobody answers for its lease", edge);
    }

    private EdgeRegister.@Nullable Lease renewedSince(long asked) {
        EdgeRegister.Lease lease = log.register().lease(edge);
        return lease == null || lease.offset() < asked ? null : lease;
    }

    private IllegalStateException runsAlready(EdgeRegister.Lease holder) {
        return new IllegalStateException(
                "edge '" + edge + "' runs already on host " + holder.host() + "; give each edge an edge.id of its own");
    }
}
