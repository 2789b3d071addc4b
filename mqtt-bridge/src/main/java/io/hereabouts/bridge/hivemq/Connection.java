package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import io.hereabouts.bridge.access.Admission;
import io.hereabouts.bridge.access.Rights;
import io.hereabouts.bridge.subscription.Subscribing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.will.SpatialWill;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One network connection of a client, from CONNECT on. HiveMQ runs the tasks of one client id one after the other, so
 * nothing here is touched by two threads at a time, except the held acknowledgements and what the client has not acknowledged.
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
    final long maxPacketBytes;
    /** What is to be published when it is lost. */
    final AskedWill will;

    /** QoS 1 PUBLISHes taken whose acknowledgement waits for Kafka, by packet id. */
    final Map<Integer, CompletableFuture<Void>> held = new ConcurrentHashMap<>();

    /** QoS 1 and QoS 2 messages of ours that the client has not acknowledged, packet id to token. */
    final Map<Integer, Long> unacknowledged = new ConcurrentHashMap<>();

    /** Where it comes from, for those who look into what was denied. */
    final String address;

    /** The user name of the CONNECT, which proves nothing. */
    final String userName;

    /** How long the session outlives it; a DISCONNECT may say otherwise than the CONNECT. */
    private volatile long lastsSeconds;

    private @Nullable CompletableFuture<Optional<RefusedWill>> keptWill;
    private @Nullable Permissions permissions;
    private boolean willGivenUp;
    private @Nullable SubscribeGate subscribeGate;
    private @Nullable Admission admission;
    private @Nullable Rights rights;
    private @Nullable Future<?> onClose;
    private boolean closed;
    private List<Asked> asked = List.of();
    private final Queue<Asked> toAuthorize = new ArrayDeque<>();

    Connection(long number, String client, AskedWill will, String address, ConnectPacket connect) {
        this.address = address;
        this.userName = connect.getUserName().orElse("");
        this.number = number;
        this.will = will;
        this.client = client;
        this.keepAliveSeconds = connect.getKeepAlive();
        this.maxPacketBytes = connect.getMaximumPacketSize();
        this.lastsSeconds = connect.getSessionExpiryInterval();
    }

    /** The session is to last for so long when the connection has ended. */
    void lasts(long seconds) {
        lastsSeconds = seconds;
    }

    long lastsSeconds() {
        return lastsSeconds;
    }

    /** What the keeping of its will, which is begun once, ends with. */
    synchronized CompletableFuture<Optional<RefusedWill>> keptWill(
            Supplier<CompletableFuture<Optional<RefusedWill>>> begin) {
        CompletableFuture<Optional<RefusedWill>> begun = keptWill;
        if (begun == null) {
            begun = begin.get();
            keptWill = begun;
        }
        return begun;
    }

    /** The will is not published, however the connection ends. */
    synchronized void giveUpWill() {
        willGivenUp = true;
    }

    synchronized boolean hasGivenUpWill() {
        return willGivenUp;
    }

    /** By what another security extension allows, which is known when the client has been let in. */
    synchronized void permissions(Permissions allowed) {
        permissions = allowed;
    }

    synchronized boolean mayPublish(SpatialWill asked) {
        return permissions == null
                || permissions.mayPublish(
                        asked.publication().getTopic(),
                        asked.publication().getQos(),
                        asked.publication().getRetain());
    }

    /** Notes what the client has shown and may do, if it is still there and what is to be done first succeeds. */
    synchronized boolean admit(Admission shown, Rights granted, BooleanSupplier first) {
        if (closed || !first.getAsBoolean()) {
            return false;
        }
        admission = shown;
        rights = granted;
        return true;
    }

    /** Empty as long as it is not admitted, or where nobody has to be. */
    synchronized Optional<Admission> admission() {
        return Optional.ofNullable(admission);
    }

    /** Empty as long as it is not admitted, or where nobody has to be. */
    synchronized Optional<Rights> rights() {
        return Optional.ofNullable(rights);
    }

    /** The user that the client has proved to be, else the one it says. */
    synchronized String user() {
        return admission == null ? userName : admission.who().user().orElse("");
    }

    /** Cancelled when the connection ends. */
    synchronized void onClose(Future<?> task) {
        onClose = task;
        if (closed) {
            task.cancel(false);
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        if (onClose != null) {
            onClose.cancel(false);
        }
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
