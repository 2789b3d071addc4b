package io.hereabouts.launcher.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An unmodified MQTT 5 client, whichever it is, that comes by TLS with a token. It has one connection at a time. */
interface Device extends AutoCloseable {

    /** Where an edge listens, and what a client needs to get in. The user name is the client id. */
    record Door(int port, String certificate, String token) {}

    /** A retained or ordinary publication, or a will, about an entity. */
    record Message(String topic, String payload, String entity, boolean retain) {}

    /**
     * What a device wants to hear.
     *
     * @param expirySeconds of its session; 0: the session ends with the connection, and it is begun anew
     * @param will that is left with the edge
     */
    record Wish(String topicFilter, String neighborhood, int expirySeconds, @Nullable Message will) {}

    /**
     * Connects and subscribes at QoS 1; returns when the SUBACK has come.
     *
     * @return the reason code of the CONNACK
     */
    int listen(Door door, Wish wish) throws Exception;

    /** Payloads that have come since it was made, those that were retained with {@code " (retained)"} behind them. */
    List<String> heard();

    /** Says that it goes; its session is kept if it has an expiry. */
    void leave() throws Exception;

    /** Publishes at QoS 1 by a connection of its own; returns when the PUBACK has come. */
    void publish(Door door, Message message) throws Exception;

    @Override
    void close();

    /** How {@link #heard} shows a publication. */
    static String shown(String payload, boolean retained) {
        return retained ? payload + " (retained)" : payload;
    }
}
