package io.hereabouts.bridge;

import io.hereabouts.bridge.kafka.EdgeProducer;
import io.hereabouts.bridge.kafka.Lease;
import io.hereabouts.bridge.kafka.LeaseClaim;
import io.hereabouts.bridge.kafka.LeaseWatch;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.schemas.kafka.EdgesLog;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How an edge comes to have its id, and learns that it has it no more. No state. */
final class EdgeLease {

    private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

    private EdgeLease() {}

    /**
     * Takes the lease, and watches it.
     *
     * @param end completed when it is lost, with the reason
     * @throws IllegalStateException if another process has it
     */
    static LeaseWatch watch(
            EdgeConfig config,
            String name,
            String run,
            Lease lease,
            EdgeClients clients,
            EdgeLoop loop,
            EdgeProducer control,
            EdgeMetrics metrics,
            CompletableFuture<String> end)
            throws InterruptedException {
        EdgesLog edges = new EdgesLog(config.kafka(), name + "-lease", config.topics());
        try {
            String before = LeaseClaim.take(edges, config.edge(), lease.record());
            return LeaseWatch.start(
                    edges, config.edge(), run, before, () -> loop.execute(lease::renew), (loss, reason) -> {
                        if (loss == LeaseWatch.Loss.SUPERSEDED) {
                            // what is in Kafka under this id is another's now
                            control.abandon();
                        }
                        metrics.leaseLost(loss.name().toLowerCase(Locale.ROOT));
                        LOG.error("{}; this edge ends", reason);
                        loop.execute(lease::lose);
                        loop.execute(clients.records()::abandon);
                        end.complete(reason);
                    });
        } catch (RuntimeException | InterruptedException e) {
            edges.close();
            throw e;
        }
    }
}
