package io.hereabouts.bridge.hivemq;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Packet ids of refused QoS 2 PUBLISHes. HiveMQ has noted them as received, and answers when a session sends them again
 * with success, past the inbound interceptor: the refusal must be repeated on the PUBREC. HiveMQ forgets its note, and
 * we ours, when the client next closes a connection that ends its session. Thread-safe.
 */
final class RefusedQos2 {

    private final Map<String, Map<Integer, Refusal>> byClient = new ConcurrentHashMap<>();

    void add(String client, int packetId, int code, String text) {
        byClient.computeIfAbsent(client, c -> new ConcurrentHashMap<>()).put(packetId, new Refusal(code, text));
    }

    Optional<Refusal> get(String client, int packetId) {
        Map<Integer, Refusal> ofClient = byClient.get(client);
        return ofClient == null ? Optional.empty() : Optional.ofNullable(ofClient.get(packetId));
    }

    void forget(String client, int packetId) {
        Map<Integer, Refusal> ofClient = byClient.get(client);
        if (ofClient != null) {
            ofClient.remove(packetId);
        }
    }

    void forget(String client) {
        byClient.remove(client);
    }
}
