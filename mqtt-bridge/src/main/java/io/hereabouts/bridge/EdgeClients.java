package io.hereabouts.bridge;

import io.hereabouts.bridge.access.Audit;
import io.hereabouts.bridge.claim.Claim;
import io.hereabouts.bridge.claim.Claims;
import io.hereabouts.bridge.kafka.ClaimReader;
import io.hereabouts.bridge.kafka.CompactedTable;
import io.hereabouts.bridge.kafka.EdgeProducer;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.kafka.RetainedWriter;
import io.hereabouts.bridge.kafka.WillEffects;
import io.hereabouts.bridge.loop.ClaimOutput;
import io.hereabouts.bridge.loop.ClientRecords;
import io.hereabouts.bridge.loop.DeliveryOutput;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.loop.EdgeState;
import io.hereabouts.bridge.will.Wills;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/** The wills of an edge's clients and its claims to their sessions, wired. To be touched on the loop only, once wired. */
record EdgeClients(ClientRecords records, ClaimOutput output) {

    /** What the wills of all clients may take. */
    private static final long WILL_BYTES = 64L << 20;

    /** @param run names this process among all that have or had the edge's id */
    static EdgeClients of(
            EdgeConfig config,
            String run,
            EdgeProducer control,
            PublicationWriter writer,
            EdgeLoop loop,
            EdgeMetrics metrics,
            Audit audit,
            Clock clock) {
        TopicCatalogue topics = config.topics();
        WillEffects willEffects = new WillEffects(
                config.edge(), run, new CompactedTable(control, topics.wills(), loop), writer, loop, metrics, clock);
        CompactedTable sessions = new CompactedTable(control, topics.sessions(), loop);
        ClaimOutput output = new ClaimOutput(sessions, metrics, audit, clock);
        return new EdgeClients(
                new ClientRecords(
                        new Wills(willEffects, WILL_BYTES),
                        willEffects,
                        new Claims(new Claim.Holder(config.edge().value(), run), output),
                        sessions),
                output);
    }

    /** Reads what other edges claim; before there are clients. */
    ClaimReader follow(EdgeConfig config, String name, EdgeLoop loop) {
        return ClaimReader.start(
                config.kafka(), name + "-sessions", config.topics().sessions(), batch -> CompletableFuture.runAsync(
                                () -> batch.forEach(said -> records.claims().read(said.client(), said.claim())), loop)
                        .join());
    }

    /** Who takes retained wills; before there are clients. */
    void retainBy(RetainedWriter writer) {
        records.willEffects().retainsBy(writer);
    }

    /** Where a session ends that another edge has; before there are clients. */
    void endIn(EdgeState state, DeliveryOutput brokers) {
        output.endsIn(state, brokers);
    }
}
