package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.LastDrops;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.schemas.avro.Publication;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Hands copies and statuses to the broker and counts what becomes of them. Owned by the edge's thread, but for the wiring. */
public final class DeliveryOutput implements ClientDeliveries.Output, StatusBoard.Output {

    private static final int QUOTA_EXCEEDED = 0x97;

    private final Executor loop;
    private final EdgeMetrics metrics;
    private final Clock clock;
    private final boolean disconnectsSlow;
    private final LastDrops drops = new LastDrops();
    private volatile @Nullable Broker broker;
    private volatile @Nullable ClientDeliveries deliveries;
    private volatile @Nullable Sharing sharing;
    private List<CompletableFuture<?>> beingTaken = new ArrayList<>();

    /** @param disconnectsSlow whether a client that does not keep up is disconnected */
    public DeliveryOutput(Executor loop, EdgeMetrics metrics, Clock clock, boolean disconnectsSlow) {
        this.disconnectsSlow = disconnectsSlow;
        this.loop = loop;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Where refused copies are reported to. */
    public void reportsTo(ClientDeliveries windows) {
        this.deliveries = windows;
    }

    /** Where copies go from now on. */
    public void deliverTo(Broker to) {
        this.broker = to;
    }

    /** The broker is about to stop: what it says of sessions is not to be believed any more. */
    public void deliverToNobody() {
        this.broker = null;
    }

    /** The broker, while it runs. */
    public @Nullable Broker broker() {
        return broker;
    }

    @Override
    public void send(Outgoing message, long token) {
        Broker to = broker;
        CompletableFuture<Void> dealtWith = to == null
                ? giveUp(message, token)
                : to.deliver(message, token)
                        .handle((subscribed, failure) -> failure == null && subscribed)
                        .thenCompose(ok -> ok ? CompletableFuture.completedFuture(null) : giveUp(message, token))
                        .toCompletableFuture();
        if (message.copy().qos() > 0) {
            beingTaken.add(dealtWith);
        }
    }

    /** Done when the message is dropped, or where it is handed on to. */
    private CompletableFuture<Void> giveUp(Outgoing message, long token) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            var unused = notTaken(message, token).whenComplete((all, failure) -> done.complete(null));
        });
        return done;
    }

    /**
     * Done when the broker has each copy of QoS 1 and 2 that was sent since this was called last, or when what it did not take
     * is dropped, or in Kafka for another member of its group.
     */
    CompletableFuture<Void> taken() {
        CompletableFuture<Void> all = CompletableFuture.allOf(beingTaken.toArray(new CompletableFuture<?>[0]));
        beingTaken = new ArrayList<>();
        return all;
    }

    /** Done when what this brings about is. */
    private CompletableFuture<Void> notTaken(Outgoing message, long token) {
        List<CompletableFuture<?>> others = beingTaken;
        beingTaken = new ArrayList<>();
        ClientDeliveries windows = deliveries;
        if (windows != null) {
            windows.notTaken(message.copy().client(), message.copy().qos(), token, clock.millis());
        }
        CompletableFuture<Void> own = taken();
        beingTaken = others;
        return own;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are counted
    public void tell(String client, String topic, String neighborhoodId, byte[] json) {
        Broker to = broker;
        if (to == null) {
            metrics.status("not_taken");
            return;
        }
        to.tell(client, topic, neighborhoodId, json)
                .whenComplete(
                        (subscribed, failure) -> metrics.status(failure == null && subscribed ? "told" : "not_taken"));
    }

    /** A publication that was replayed has no time at which an edge took it, and one that was retained waited for its reader. */
    @Override
    public void handedOver(Outgoing message, long now) {
        Publication publication = message.publication();
        if (message.retained()) {
            metrics.retainedHandedOut(message.copy().qos());
        } else if (!publication.getEdge().isEmpty()) {
            metrics.latency(message.copy().qos(), now - publication.getEventTime());
        }
    }

    @Override
    public void delivered(int qos) {
        metrics.delivered(qos);
    }

    @Override
    public void dropped(Outgoing message, String reason) {
        int qos = message.copy().qos();
        metrics.dropped(reason, qos);
        drops.dropped(message.copy().client(), new LastDrops.Drop(reason, qos, clock.millis()));
    }

    /** What was given up last, by client. */
    public LastDrops drops() {
        return drops;
    }

    @Override
    public void left(Outgoing message, String reason, long now) {
        Sharing to = sharing;
        if (to != null) {
            to.left(message, reason, now);
        }
    }

    /** What is being read is dealt with only when this is done, too. */
    void alsoTakes(CompletableFuture<Void> handedOn) {
        beingTaken.add(handedOn);
    }

    /** Where copies go that a member of a group did not get. */
    void leavesTo(Sharing to) {
        this.sharing = to;
    }

    /** Its session stays, with what waits in it. */
    @Override
    public void overflowed(String client) {
        Broker to = broker;
        if (disconnectsSlow && to != null) {
            metrics.refused("connection", "slow");
            var unused = to.disconnect(client, QUOTA_EXCEEDED, "too much waits for the client: it does not keep up");
        }
    }
}
