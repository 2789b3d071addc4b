package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.interceptor.connack.parameter.ConnackOutboundOutput;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import io.hereabouts.bridge.will.SpatialWill;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Has the will of a CONNECT in Kafka before the client is told that it is connected. Only the check of credentials can
 * refuse a CONNECT with a reason; where that is another extension's, the CONNACK is held instead, and a client whose will
 * cannot be kept is disconnected behind it. Thread-safe.
 */
final class WillGate {

    private static final int NOT_AUTHORIZED = 0x87;
    private static final int SERVER_UNAVAILABLE = 0x88;
    private static final int QUOTA_EXCEEDED = 0x97;

    private final Bridge bridge;
    private final BrokerServices broker;

    WillGate(Bridge bridge, BrokerServices broker) {
        this.bridge = bridge;
        this.broker = broker;
    }

    /** How long {@link #keep} may take. */
    Duration patience(Connection connection) {
        return connection.will.spatial().isPresent() ? bridge.publishTimeout() : Duration.ZERO;
    }

    /** Completes with what the CONNECT is to be refused for; empty if Kafka has the will, or there is none. */
    CompletableFuture<Optional<RefusedWill>> keep(Connection connection) {
        return connection
                .will
                .spatial()
                .map(will -> connection.keptWill(() -> keep(connection, will)))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }

    private CompletableFuture<Optional<RefusedWill>> keep(Connection connection, SpatialWill will) {
        if (bridge.kafkaDown().getAsBoolean()) {
            return CompletableFuture.completedFuture(Optional.of(notKept()));
        }
        CompletableFuture<Optional<RefusedWill>> kept = new CompletableFuture<>();
        bridge.loop().execute(() -> {
            // the end of a connection that is closed later comes to the loop behind this
            if (!connection.isClosed()
                    && !bridge.clients().wills().announce(will, () -> kept.complete(Optional.empty()))) {
                kept.complete(Optional.of(new RefusedWill(
                        "will_no_room",
                        QUOTA_EXCEEDED,
                        "the wills of this edge's clients take too much memory, try again later")));
            }
        });
        return kept.completeOnTimeout(
                Optional.of(notKept()), bridge.publishTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private RefusedWill notKept() {
        return new RefusedWill("will_kafka_down", SERVER_UNAVAILABLE, "Kafka has not taken the will, try again later");
    }

    /** Where nobody has to be admitted: lets the client in when its will is kept. */
    void admit(Connection connection, SimpleAuthOutput output) {
        Async<SimpleAuthOutput> held = output.async(
                beyondTimeout(),
                TimeoutFallback.FAILURE,
                ConnackReasonCode.SERVER_BUSY,
                "the will was not kept in time");
        var unused = keep(connection).thenAccept(refused -> {
            if (refused.isPresent()) {
                refuse(refused.get(), held.getOutput());
            } else {
                held.getOutput().authenticateSuccessfully();
            }
            held.resume();
        });
    }

    void refuse(RefusedWill will, SimpleAuthOutput output) {
        bridge.metrics().refused("connect", will.counted());
        output.failAuthentication(ReasonCodes.connack(will.code()), will.reason());
    }

    /** The client has been let in, by whomever: its will has to be there, and one that it may publish. */
    void accepted(Connection connection, ConnackOutboundOutput output) {
        SpatialWill will = connection.will.spatial().orElse(null);
        if (will == null) {
            return;
        }
        if (!connection.mayPublish(will)) {
            disconnect(
                    connection,
                    new RefusedWill(
                            "will_not_authorized",
                            NOT_AUTHORIZED,
                            "not authorized to publish the will to "
                                    + will.publication().getTopic()));
            return;
        }
        CompletableFuture<Optional<RefusedWill>> kept = keep(connection);
        if (kept.isDone()) {
            kept.join().ifPresent(refused -> disconnect(connection, refused));
            return;
        }
        Async<ConnackOutboundOutput> held = output.async(beyondTimeout());
        var unused = kept.thenAccept(refused -> {
            held.resume();
            refused.ifPresent(why -> disconnect(connection, why));
        });
    }

    private void disconnect(Connection connection, RefusedWill refused) {
        bridge.metrics().refused("connect", refused.counted());
        connection.giveUpWill();
        var unused = broker.disconnect(connection.client, refused.code(), refused.reason());
    }

    private Duration beyondTimeout() {
        return bridge.publishTimeout().multipliedBy(2).plusSeconds(30);
    }
}
