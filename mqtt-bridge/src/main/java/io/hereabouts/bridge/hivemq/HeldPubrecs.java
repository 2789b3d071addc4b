package io.hereabouts.bridge.hivemq;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the PUBRECs of a session's QoS 2 PUBLISHes wait for, from PUBLISH to PUBREL: until Kafka has the publication, for
 * ever where it was refused, for nothing where it was not about an entity. HiveMQ notes a packet id as received; when the
 * session sends the PUBLISH again, on whatever connection, it answers past the inbound interceptor and with success, so
 * that PUBREC has to wait for the same. HiveMQ keeps its notes even when a session ends: a PUBREC for a packet id that is
 * not here answers a PUBLISH
 * that nobody has taken. Thread-safe.
 */
final class HeldPubrecs {

    private final Map<String, Map<Integer, CompletableFuture<Void>>> byClient = new ConcurrentHashMap<>();

    /** A PUBLISH was received; its PUBREC may go when this is done. */
    void hold(String client, int packetId, CompletableFuture<Void> stored) {
        byClient.compute(client, (c, held) -> {
            Map<Integer, CompletableFuture<Void>> ofClient = held == null ? new ConcurrentHashMap<>() : held;
            ofClient.put(packetId, stored);
            return ofClient;
        });
    }

    /** What the PUBREC waits for; empty if the session's PUBLISH was not received. */
    Optional<CompletableFuture<Void>> of(String client, int packetId) {
        Map<Integer, CompletableFuture<Void>> ofClient = byClient.get(client);
        return ofClient == null ? Optional.empty() : Optional.ofNullable(ofClient.get(packetId));
    }

    /** The PUBREL has come. Whoever has nothing held takes no memory: client ids are as many as clients like. */
    void released(String client, int packetId) {
        byClient.computeIfPresent(client, (c, ofClient) -> {
            ofClient.remove(packetId);
            return ofClient.isEmpty() ? null : ofClient;
        });
    }

    /** The session has ended, or a new one begins. What was taken goes to Kafka all the same. */
    void forget(String client) {
        byClient.remove(client);
    }
}
