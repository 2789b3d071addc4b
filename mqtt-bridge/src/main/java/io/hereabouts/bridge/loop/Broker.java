package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.subscription.BrokerSubscription;
import io.hereabouts.schemas.avro.Publication;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What the edge needs of the MQTT broker. Thread-safe; nothing blocks. */
public interface Broker {

    /**
     * Puts a message into the queue of its client; calls from one thread arrive in order.
     *
     * @return whether the broker had a subscription to deliver by; true does not mean delivered, nor even queued
     */
    CompletionStage<Boolean> deliver(Outgoing message, long token);

    /**
     * Hands a message to all that have subscribed to its topic, and retains it if it says so; calls from one thread arrive in
     * order.
     *
     * @param expiresAt milliseconds since 1970, or {@link Long#MAX_VALUE}
     */
    CompletionStage<Void> publish(Publication message, long expiresAt);

    /**
     * Tells a client what became of its neighborhood, at QoS 1 if it subscribed so.
     *
     * @return whether the broker had a subscription to deliver by
     */
    CompletionStage<Boolean> tell(String client, String topic, String neighborhoodId, byte[] json);

    /** Disconnects the client; its session goes on. */
    CompletionStage<Boolean> disconnect(String client, int reasonCode, String reason);

    /** Whether the client is connected. */
    CompletionStage<Boolean> isConnected(String client);

    /**
     * Ends the client's session, with a DISCONNECT if it is connected.
     *
     * @param reasonCode of the DISCONNECT
     */
    CompletionStage<Boolean> endSession(String client, int reasonCode, String reason);

    /** Whether the client has a session, connected or not. */
    CompletionStage<Boolean> hasSession(String client);

    /** Everything that is subscribed. */
    CompletionStage<List<BrokerSubscription>> subscriptions();

    /** Disconnects the client, if it is connected, and forgets what it has subscribed and what waits for it. */
    CompletionStage<Boolean> endSession(String client);
}
