package io.hereabouts.bridge.will;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The wills of an edge's clients (MQTT 5 §3.1.2.5, §3.1.3.2.2). A will is kept before its connection is accepted, and
 * published when the connection has ended without a DISCONNECT of reason 0x00 and the Will Delay Interval is over or the
 * session has ended, whichever is first; a client that comes back to its session before that takes it back. Whoever takes
 * a connection over ends it: at a delay of 0 the will is published, else only if the new connection begins a new session.
 * HiveMQ says in any order that the old connection has ended and that the new one has begun. Time is an argument,
 * milliseconds since any point. Owned by the edge's thread.
 */
public final class Wills {

    /** What becomes of a will; called on the thread that calls. */
    public interface Output {
        /** It is to be in Kafka. */
        void keep(SpatialWill will, Runnable kept);

        /** It is to be published, then removed from Kafka. */
        void publish(SpatialWill will);

        /** It is to be removed from Kafka unpublished. */
        void forget(SpatialWill will, End why);
    }

    /** Why a will is not published. */
    public enum End {
        /** The client was not let in. */
        REFUSED,
        /** The client said DISCONNECT with reason 0x00. */
        DISCONNECTED,
        /** The client came back before the delay was over. */
        RETURNED
    }

    /** A will of an accepted connection. */
    private static final class Accepted {
        final SpatialWill will;
        /** When it is due; null while the connection is open. */
        @Nullable
        Long due;

        Accepted(SpatialWill will) {
            this.will = will;
        }
    }

    private final Output output;
    private final long maxBytes;

    /** By connection, those whose connections are not accepted yet. */
    private final Map<Long, SpatialWill> announced = new HashMap<>();

    private final Map<String, Accepted> accepted = new HashMap<>();
    private long bytes;

    /** @param maxBytes of all wills together */
    public Wills(Output output, long maxBytes) {
        this.output = output;
        this.maxBytes = maxBytes;
    }

    /**
     * Keeps the will of a connection that is about to be accepted.
     *
     * @param kept run by the edge's thread when Kafka has it
     * @return false if there is no room for it
     */
    public boolean announce(SpatialWill will, Runnable kept) {
        if (bytes + will.bytes() > maxBytes) {
            return false;
        }
        bytes += will.bytes();
        announced.put(will.connection(), will);
        output.keep(will, kept);
        return true;
    }

    /**
     * A connection has been accepted, with a will or without.
     *
     * @param newSession whether a former session of the client has ended
     */
    public void connected(String client, long connection, boolean newSession) {
        Accepted before = accepted.remove(client);
        if (before != null) {
            if (newSession || (before.due == null && before.will.delaySeconds() == 0)) {
                publish(before);
            } else {
                forget(before.will, End.RETURNED);
            }
        }
        SpatialWill will = announced.remove(connection);
        if (will != null) {
            accepted.put(client, new Accepted(will));
        }
    }

    /**
     * A connection has ended.
     *
     * @param properly by a DISCONNECT of the client with reason 0x00
     * @param sessionExpirySeconds how long the session lasts from now on
     */
    public void disconnected(String client, long connection, boolean properly, long sessionExpirySeconds, long now) {
        SpatialWill refused = announced.remove(connection);
        if (refused != null) {
            forget(refused, End.REFUSED);
        }
        Accepted ended = accepted.get(client);
        if (ended == null || ended.will.connection() != connection || ended.due != null) {
            return;
        }
        long wait = Math.min(ended.will.delaySeconds(), sessionExpirySeconds);
        if (properly) {
            accepted.remove(client);
            forget(ended.will, End.DISCONNECTED);
        } else if (wait == 0) {
            accepted.remove(client);
            publish(ended);
        } else {
            ended.due = now + wait * 1_000;
        }
    }

    /** The client's session has ended, whether its connection has or not. */
    public void sessionEnded(String client) {
        Accepted left = accepted.get(client);
        if (left != null && left.due != null) {
            accepted.remove(client);
            publish(left);
        }
    }

    /** Publishes what is due. */
    public void tick(long now) {
        List<Accepted> due = new ArrayList<>();
        accepted.values().removeIf(a -> a.due != null && a.due <= now && due.add(a));
        due.forEach(this::publish);
    }

    /** Clients whose wills wait for them to come back. */
    public List<String> waiting() {
        return accepted.values().stream()
                .filter(a -> a.due != null)
                .map(a -> a.will.client())
                .toList();
    }

    /** The edge stops, and with it all connections and sessions. */
    public void end() {
        List<Accepted> all = List.copyOf(accepted.values());
        accepted.clear();
        all.forEach(this::publish);
        List.copyOf(announced.values()).forEach(will -> forget(will, End.REFUSED));
        announced.clear();
    }

    /** Somebody else has these wills from now on: nothing is published or removed here. */
    public void abandon() {
        accepted.clear();
        announced.clear();
        bytes = 0;
    }

    private void publish(Accepted ended) {
        bytes -= ended.will.bytes();
        output.publish(ended.will);
    }

    private void forget(SpatialWill will, End why) {
        bytes -= will.bytes();
        output.forget(will, why);
    }
}
