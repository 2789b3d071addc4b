package io.hereabouts.bridge.hivemq;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the PUBRECs of QoS 2 PUBLISHes wait for: until Kafka has the publication, or for ever where it was refused. HiveMQ
 * has noted the packet id as received: when the session sends the PUBLISH again, on whatever connection, it answers past
 * the inbound interceptor and with success, so that PUBREC has to wait for the same. HiveMQ forgets its note, and we ours,
 * when the client next closes a connection that ends its session. Thread-safe.
 */
final class HeldPubrecs {

    private final Map<String, Map<Integer, CompletableFuture<Void>>> byClient = new ConcurrentHashMap<>();

    /** A PUBLISH was taken; its PUBREC may go when this is done. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure stays, to be told again
    void hold(String client, int packetId, CompletableFuture<Void> stored) {
        Map<Integer, CompletableFuture<Void>> ofClient =
                byClient.computeIfAbsent(client, c -> new ConcurrentHashMap<>());
        ofClient.put(packetId, stored);
        stored.thenRun(() -> ofClient.remove(packetId, stored));
    }

    /** What the PUBREC waits for; empty if it need not. */
    Optional<CompletableFuture<Void>> of(String client, int packetId) {
        Map<Integer, CompletableFuture<Void>> ofClient = byClient.get(client);
        return ofClient == null ? Optional.empty() : Optional.ofNullable(ofClient.get(packetId));
    }

    /** The packet id begins anew. */
    void forget(String client, int packetId) {
        Map<Integer, CompletableFuture<Void>> ofClient = byClient.get(client);
        if (ofClient != null) {
            ofClient.remove(packetId);
        }
    }

    /** The session has ended. What was taken goes to Kafka all the same. */
    void forget(String client) {
        byClient.remove(client);
    }
}
