package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import io.hereabouts.bridge.subscription.Subscribing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One network connection of a client, from CONNECT on. HiveMQ runs the tasks of one client id one after the other, so
 * nothing here is touched by two threads at a time, except the held acknowledgements.
 */
final class Connection {

    /** The answer for one topic filter of a SUBSCRIBE. */
    record Verdict(int reasonCode, String reason) {
        static final Verdict GRANTED = new Verdict(0, "");
    }

    /** One topic filter of the SUBSCRIBE that is being answered. */
    static final class Asked {
        final CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        /** A plain subscription that spatial publications are to reach. */
        @Nullable
        Subscription plain;
        /** A neighborhood subscription on its way; set and read on the edge's thread. */
        @Nullable
        Subscribing subscribing;

        boolean wantsNeighborhood;
        /** Where the client wants to hear of its neighborhoods. */
        @Nullable
        TopicFilter status;

        /** Characters of the reason that the SUBACK has room for. */
        int maxReason = Integer.MAX_VALUE;

        static Asked decided(int reasonCode, String reason) {
            Asked asked = new Asked();
            asked.verdict.complete(new Verdict(reasonCode, reason));
            return asked;
        }
    }

    final long number;
    final String client;
    final int keepAliveSeconds;
    final long sessionExpirySeconds;
    final long maxPacketBytes;
    /** What is wrong with the will. */
    final Optional<RefusedWill> refusedWill;

    /** QoS 1 PUBLISHes taken whose acknowledgement waits for Kafka, by packet id. */
    final Map<Integer, CompletableFuture<Void>> held = new ConcurrentHashMap<>();

    /** QoS 1 and QoS 2 messages of ours that the client has not acknowledged, packet id to token. */
    final Map<Integer, Long> unacknowledged = new ConcurrentHashMap<>();

    private @Nullable SubscribeGate subscribeGate;
    private List<Asked> asked = List.of();
    private final Queue<Asked> toAuthorize = new ArrayDeque<>();

    Connection(long number, String client, Optional<RefusedWill> refusedWill, ConnectPacket connect) {
        this.number = number;
        this.refusedWill = refusedWill;
        this.client = client;
        this.keepAliveSeconds = connect.getKeepAlive();
        this.sessionExpirySeconds = connect.getSessionExpiryInterval();
        this.maxPacketBytes = connect.getMaximumPacketSize();
    }

    synchronized void subscribeGate(SubscribeGate gate) {
        subscribeGate = gate;
    }

    synchronized @Nullable SubscribeGate subscribeGate() {
        return subscribeGate;
    }

    /** A SUBSCRIBE begins. */
    synchronized void ask(List<Asked> filters) {
        asked = List.copyOf(filters);
        toAuthorize.clear();
        toAuthorize.addAll(filters);
    }

    /** The next topic filter to be authorized; null if HiveMQ asks for more than the SUBSCRIBE had. */
    synchronized @Nullable Asked nextToAuthorize() {
        return toAuthorize.poll();
    }

    /** The topic filters of the SUBSCRIBE, which is over with it. */
    synchronized List<Asked> answered() {
        List<Asked> all = new ArrayList<>(asked);
        asked = List.of();
        return all;
    }
}
