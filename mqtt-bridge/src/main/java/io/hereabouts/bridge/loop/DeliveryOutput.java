package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.schemas.avro.Publication;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Hands copies and statuses to the broker and counts what becomes of them. Owned by the edge's thread, but for the wiring. */
public final class DeliveryOutput implements ClientDeliveries.Output, StatusBoard.Output {

    private final Executor loop;
    private final EdgeMetrics metrics;
    private final Clock clock;
    private volatile @Nullable Broker broker;
    private volatile @Nullable ClientDeliveries deliveries;

    public DeliveryOutput(Executor loop, EdgeMetrics metrics, Clock clock) {
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

    /** The broker, once it runs. */
    public @Nullable Broker broker() {
        return broker;
    }

    @Override
    public void send(Outgoing message, long token) {
        Broker to = broker;
        if (to == null) {
            loop.execute(() -> notTaken(message, token));
            return;
        }
        CompletionStage<Boolean> taken = to.deliver(message, token);
        taken.whenComplete((subscribed, failure) -> {
            if (failure != null || !subscribed) {
                loop.execute(() -> notTaken(message, token));
            }
        });
    }

    private void notTaken(Outgoing message, long token) {
        ClientDeliveries windows = deliveries;
        if (windows != null) {
            windows.notTaken(message.copy().client(), message.copy().qos(), token, clock.millis());
        }
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
    public void dropped(String reason, int qos, int count) {
        metrics.dropped(reason, qos, count);
    }
}
