package io.hereabouts.bridge.delivery;

import io.hereabouts.bridge.delivery.DeliveryWindow.Forgotten;
import io.hereabouts.bridge.delivery.DeliveryWindow.Offered;
import io.hereabouts.bridge.delivery.DeliveryWindow.Ready;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each client has been sent and has yet to get, QoS 0 apart from the others, which the broker keeps in one queue. Every copy that is offered ends as delivered
 * or as dropped for one reason. Decides only; time is an argument in milliseconds since 1970. Owned by one thread.
 */
public final class ClientDeliveries {

    /** What is to be done, and what has been found out. */
    public interface Output {
        /** Hand the message to the broker; then {@link #notTaken}, or {@link #written} and {@link #acknowledged}. */
        void send(Outgoing message, long token);

        /** The broker writes the message to the client now. */
        void handedOver(Outgoing message, long now);

        void delivered(int qos);

        /** A copy was given up. */
        void dropped(Outgoing message, String reason);

        /**
         * A copy that its client does not get is for another member of the client's group.
         *
         * @param reason why the client does not get it
         */
        void left(Outgoing message, String reason, long now);

        /**
         * A connected client does not keep up: a copy for which there was no room was dropped. Said once until it has read all
         * that it has.
         */
        void overflowed(String client);
    }

    /** The queue of the client is full. */
    public static final String CLIENT_QUEUE_FULL = "client_queue_full";

    /** The broker's own queue was full, or the message expired in it. */
    public static final String BROKER_QUEUE = "broker_queue";

    /** QoS 0 for a client that is not connected. */
    public static final String OFFLINE = "offline";

    /** The session ended first. */
    public static final String SESSION_ENDED = "session_ended";

    /** The message expired first. */
    public static final String EXPIRED = "expired";

    /** The broker had no subscription that it could deliver by. */
    public static final String NOT_SUBSCRIBED = "not_subscribed";

    /** The client does not take packets of this size. */
    public static final String PACKET_TOO_LARGE = "packet_too_large";

    /** Another extension of the broker kept it from the client. */
    public static final String PREVENTED = "prevented";

    /** MQTT's limit: such a client takes anything. */
    private static final long LARGEST_PACKET = 268_435_460L;

    /** Without progress for so long, one message beyond the window is sent, and again after as long. */
    private static final long STALLED_MILLIS = 5_000;

    private static final class Client {
        final List<DeliveryWindow<Outgoing>> windows;
        boolean connected;
        boolean overflowed;
        long maxPacketBytes = LARGEST_PACKET;
        long progressAt;

        Client(DeliveryWindow<Outgoing> qos0, DeliveryWindow<Outgoing> others) {
            windows = List.of(qos0, others);
        }

        DeliveryWindow<Outgoing> window(int qos) {
            return windows.get(Math.min(1, qos));
        }
    }

    /**
     * How much a client may have waiting.
     *
     * @param window copies that may be with the broker, of QoS 0 and of the others
     * @param queue the same for those of QoS 1 and 2 if the broker keeps sessions: all of them are with it then
     * @param maxBytes bytes that may wait, of QoS 0 and of the others
     * @param brokerKeepsSessions whether what the broker has outlives this process
     */
    public record Bounds(int window, int queue, long maxBytes, boolean brokerKeepsSessions) {}

    private final Output output;
    private final Bounds bounds;
    private final long lastToken;
    private final Map<String, Client> clients = new HashMap<>();

    /** @param lastToken tokens grow from here: what the broker has of an earlier run must not have the same ones */
    public ClientDeliveries(Output output, Bounds bounds, long lastToken) {
        this.output = output;
        this.bounds = bounds;
        this.lastToken = lastToken;
    }

    /** @param maxPacketBytes the largest packet that the client takes */
    public void connected(String name, long maxPacketBytes, long now) {
        Client client = client(name);
        client.connected = true;
        // what filled up while it was away it can only read now
        client.overflowed = client.window(1).inFlight() + client.window(1).waiting() > 0;
        client.maxPacketBytes = maxPacketBytes;
        client.progressAt = now;
    }

    /** The client is offline; its session may go on. */
    public void disconnected(String name) {
        Client client = clients.get(name);
        if (client != null) {
            client.connected = false;
            dropped(OFFLINE, messages(client.window(0).clear()));
        }
    }

    /**
     * Nothing can be delivered to the client any more. What it did not acknowledge is for another member of its group, but of
     * QoS 2 what was written to it (MQTT 5.0 §4.8.2).
     */
    public void sessionEnded(String name, long now) {
        Client client = clients.remove(name);
        if (client == null) {
            return;
        }
        for (Forgotten<Outgoing> each : client.windows.get(1).clear()) {
            Outgoing message = each.message();
            if (message.isShared() && !(message.copy().qos() == 2 && each.written())) {
                output.left(message, SESSION_ENDED, now);
            } else {
                output.dropped(message, SESSION_ENDED);
            }
        }
        dropped(SESSION_ENDED, messages(client.windows.get(0).clear()));
    }

    /** A new copy. */
    public void offer(Outgoing message, long now) {
        int qos = message.copy().qos();
        Client client = client(message.copy().client());
        if (qos == 0 && !client.connected) {
            output.dropped(message, OFFLINE);
            return;
        }
        if (client.maxPacketBytes < LARGEST_PACKET && message.packetBytes() > client.maxPacketBytes) {
            output.dropped(message, PACKET_TOO_LARGE);
            return;
        }
        DeliveryWindow<Outgoing> w = client.window(qos);
        Offered offered = w.offer(message, message.bytes());
        if (offered == Offered.DROPPED) {
            output.dropped(message, CLIENT_QUEUE_FULL);
            if (client.connected && !client.overflowed && !message.retained()) {
                client.overflowed = true;
                output.overflowed(message.copy().client());
            }
        } else if (offered == Offered.SEND) {
            pump(w, now);
        }
    }

    /** The broker is writing the message to the client: for QoS 0 that is all there is. */
    public void written(String name, int qos, long token, long now) {
        Client client = clients.get(name);
        if (client == null) {
            return;
        }
        client.progressAt = now;
        DeliveryWindow<Outgoing> w = client.window(qos);
        DeliveryWindow.Written<Outgoing> written = w.written(token);
        if (written.message() != null) {
            output.handedOver(written.message(), now);
        }
        dropped(BROKER_QUEUE, written.passedOver());
        if (qos == 0 && w.done(token) != null) {
            output.delivered(0);
        }
        pump(w, now);
    }

    /** The client has acknowledged a message of QoS 1 or 2. */
    public void acknowledged(String name, long token, long now) {
        Client client = clients.get(name);
        Outgoing message = client == null ? null : client.window(1).done(token);
        if (client != null && message != null) {
            client.progressAt = now;
            output.delivered(message.copy().qos());
            pump(client.window(1), now);
            if (client.window(1).inFlight() == 0) {
                client.overflowed = false;
            }
        }
    }

    /** The broker did not take the message. */
    public void notTaken(String name, int qos, long token, long now) {
        Client client = clients.get(name);
        Outgoing message = client == null ? null : client.window(qos).done(token);
        if (client != null && message != null) {
            if (message.isShared()) {
                output.left(message, NOT_SUBSCRIBED, now);
            } else {
                output.dropped(message, NOT_SUBSCRIBED);
            }
            pump(client.window(qos), now);
        }
    }

    /** The message was not written after all, and will not be. */
    public void prevented(String name, long token, long now) {
        Client client = clients.get(name);
        Outgoing message = client == null ? null : client.window(1).done(token);
        if (client != null && message != null) {
            output.dropped(message, PREVENTED);
            pump(client.window(1), now);
        }
    }

    /** Looks after clients that seem to be stalled. */
    public void tick(long now) {
        for (Client client : clients.values()) {
            if (client.connected && now - client.progressAt >= STALLED_MILLIS) {
                client.progressAt = now;
                client.windows.forEach(w -> send(w, w.takeOneBeyond(), now));
            }
        }
    }

    /**
     * What there is for one client.
     *
     * @param withBroker copies that the broker has and the client has not acknowledged
     * @param waiting copies that wait for room there
     * @param waitingBytes of those
     */
    public record Backlog(int withBroker, int waiting, long waitingBytes) {}

    /** What there is for the client. */
    public Backlog backlog(String name) {
        Client client = clients.get(name);
        return client == null
                ? new Backlog(0, 0, 0)
                : new Backlog(
                        client.windows.stream()
                                .mapToInt(DeliveryWindow::inFlight)
                                .sum(),
                        client.windows.stream()
                                .mapToInt(DeliveryWindow::waiting)
                                .sum(),
                        client.windows.stream()
                                .mapToLong(DeliveryWindow::waitingBytes)
                                .sum());
    }

    /** Copies that the broker has of all clients. */
    public long inFlight() {
        return clients.values().stream()
                .flatMap(c -> c.windows.stream())
                .mapToLong(DeliveryWindow::inFlight)
                .sum();
    }

    /** Bytes that wait for all clients. */
    public long waitingBytes() {
        return clients.values().stream()
                .flatMap(c -> c.windows.stream())
                .mapToLong(DeliveryWindow::waitingBytes)
                .sum();
    }

    private void dropped(String reason, List<Outgoing> messages) {
        messages.forEach(message -> output.dropped(message, reason));
    }

    private static List<Outgoing> messages(List<Forgotten<Outgoing>> forgotten) {
        return forgotten.stream().map(Forgotten::message).toList();
    }

    private void pump(DeliveryWindow<Outgoing> w, long now) {
        for (List<Ready<Outgoing>> all = w.takeReady(); !all.isEmpty(); all = w.takeReady()) {
            send(w, all, now);
        }
    }

    private void send(DeliveryWindow<Outgoing> w, List<Ready<Outgoing>> all, long now) {
        for (Ready<Outgoing> ready : all) {
            Outgoing message = ready.message();
            if (message.expiresAt() <= now) {
                w.done(ready.token());
                output.dropped(message, EXPIRED);
            } else {
                output.send(message, ready.token());
            }
        }
    }

    private Client client(String name) {
        return clients.computeIfAbsent(
                name, n -> new Client(waitingHere(), bounds.brokerKeepsSessions() ? waitingThere() : waitingHere()));
    }

    private DeliveryWindow<Outgoing> waitingHere() {
        return DeliveryWindow.waitingHere(bounds.window(), bounds.maxBytes(), lastToken);
    }

    private DeliveryWindow<Outgoing> waitingThere() {
        return DeliveryWindow.waitingThere(bounds.queue(), bounds.maxBytes(), lastToken, Outgoing::noted);
    }
}
