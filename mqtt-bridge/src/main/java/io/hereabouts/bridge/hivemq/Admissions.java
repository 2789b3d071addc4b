package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.client.parameter.ClientTlsInformation;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import com.hivemq.extension.sdk.api.packets.publish.PublishPacket;
import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.access.Admission;
import io.hereabouts.bridge.access.Credentials;
import io.hereabouts.bridge.access.Failures;
import io.hereabouts.bridge.access.Outcome;
import io.hereabouts.bridge.access.Owners;
import io.hereabouts.bridge.access.Rights;
import io.hereabouts.bridge.will.SpatialWill;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Lets clients in by the security file, and sends them away when it, or their token, does not admit them any more. The
 * check runs on threads of its own; HiveMQ answers the CONNECT, and takes a client id from whoever has it, after that. What
 * a session was subscribed to was granted by the rights that it had: with other rights it has to begin anew. Thread-safe.
 */
final class Admissions {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SWEEP = Duration.ofSeconds(30);
    private static final int ADMINISTRATIVE_ACTION = 0x98;
    private static final int CONNECTION_RATE_EXCEEDED = 0x9F;
    private static final int MAXIMUM_CONNECT_TIME = 0xA0;
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int SERVER_BUSY = 0x89;

    private final Bridge bridge;
    private final BrokerServices broker;
    private final Access access;
    private final WillGate wills;
    private final Owners owners = new Owners();
    private final Failures failures = new Failures();

    Admissions(Bridge bridge, BrokerServices broker, Access access, WillGate wills) {
        this.wills = wills;
        this.bridge = bridge;
        this.broker = broker;
        this.access = access;
    }

    /** @param connections those that there are when the security file changes */
    void start(Collection<Connection> connections) {
        access.onChange(() -> connections.forEach(this::changed));
        access.every(SWEEP, this::sweep);
    }

    void decide(Connection connection, SimpleAuthInput input, SimpleAuthOutput output) {
        String address = connection.address;
        if (failures.tooMany(address, bridge.clock().millis())) {
            refuse(
                    connection,
                    new Outcome.Denied(
                            "many_failures",
                            CONNECTION_RATE_EXCEEDED,
                            "too many CONNECTs with wrong credentials from this address, try again later",
                            "not checked"),
                    output);
            return;
        }
        ConnectPacket connect = input.getConnectPacket();
        Credentials shown = new Credentials(
                connection.client,
                access.userFromCertificate() ? commonName(input) : Optional.empty(),
                connect.getUserName(),
                connect.getPassword().map(Admissions::bytes));
        Async<SimpleAuthOutput> held = output.async(
                TIMEOUT.plus(wills.patience(connection)),
                TimeoutFallback.FAILURE,
                ConnackReasonCode.SERVER_BUSY,
                "the credentials were not checked in time, try again later");
        boolean underWay = access.check(shown, address, outcome -> checked(connection, connect, outcome, held));
        if (!underWay) {
            refuse(
                    connection,
                    new Outcome.Denied(
                            "busy", SERVER_BUSY, "too many CONNECTs are being checked, try again later", "not checked"),
                    held.getOutput());
            held.resume();
        }
    }

    private void checked(Connection connection, ConnectPacket connect, Outcome outcome, Async<SimpleAuthOutput> held) {
        if (outcome instanceof Outcome.Admitted admitted) {
            Optional<Outcome.Denied> will = will(connection, connect, admitted.rights());
            if (will.isEmpty()) {
                keepWill(connection, admitted, held);
                return;
            }
            refuse(connection, will.get(), held.getOutput());
        } else if (outcome instanceof Outcome.Denied denied) {
            failures.failed(connection.address, bridge.clock().millis());
            refuse(connection, denied, held.getOutput());
        }
        held.resume();
    }

    /** One about an entity is not in the CONNECT any more. */
    private Optional<Outcome.Denied> will(Connection connection, ConnectPacket connect, Rights rights) {
        Optional<SpatialWill> spatial = connection.will.spatial();
        return spatial.map(will -> will.publication().getTopic())
                .or(() -> connect.getWillPublish().map(PublishPacket::getTopic))
                .filter(topic -> !rights.mayPublish(topic, spatial.map(SpatialWill::entity), bridge.places()))
                .map(topic -> new Outcome.Denied(
                        "will_not_authorized",
                        NOT_AUTHORIZED,
                        "not authorized to publish the will to " + topic
                                + spatial.map(will -> " about " + will.entity()).orElse(""),
                        topic));
    }

    private void keepWill(Connection connection, Outcome.Admitted admitted, Async<SimpleAuthOutput> held) {
        var unused = wills.keep(connection).thenAccept(refused -> {
            if (refused.isEmpty()) {
                claim(connection, admitted, held);
            } else {
                wills.refuse(refused.get(), held.getOutput());
                held.resume();
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are handled
    private void claim(Connection connection, Outcome.Admitted admitted, Async<SimpleAuthOutput> held) {
        Optional<Owners.Owner> owner = owners.of(connection.client);
        mayClaim(connection.client, owner, admitted).whenComplete((may, failure) -> {
            if (failure != null || !may) {
                refuse(
                        connection,
                        new Outcome.Denied(
                                "takeover",
                                NOT_AUTHORIZED,
                                "the client id belongs to another user",
                                failure == null ? "the client id belongs to another user" : failure.toString()),
                        held.getOutput());
                held.resume();
            } else if (take(connection, owner, admitted)) {
                held.getOutput().authenticateSuccessfully();
                held.resume();
            } else if (connection.isClosed()) {
                held.resume();
            } else {
                // another one was quicker
                claim(connection, admitted, held);
            }
        });
    }

    private CompletionStage<Boolean> mayClaim(String client, Optional<Owners.Owner> owner, Outcome.Admitted admitted) {
        if (owner.isEmpty()) {
            // a session of an earlier run of this edge: whose it was its claim says, under what rights nobody knows any
            // more
            boolean others = bridge.comparison()
                    .userBefore(client)
                    .filter(user ->
                            !user.equals(admitted.admission().who().user().orElse("")))
                    .isPresent();
            return broker.hasSession(client).thenCompose(there -> {
                if (!there) {
                    return CompletableFuture.completedStage(true);
                }
                return others && access.isSameUserOnly()
                        ? CompletableFuture.completedStage(false)
                        : broker.endSession(client).thenApply(ended -> true);
            });
        }
        boolean same = owner.map(o -> o.user().equals(admitted.admission().who().user()))
                .orElse(true);
        if (same && owner.map(o -> o.rights().equals(admitted.rights())).orElse(true)) {
            return CompletableFuture.completedStage(true);
        }
        CompletionStage<Boolean> exists = owner.map(Owners.Owner::connected).orElse(false)
                ? CompletableFuture.completedStage(true)
                : broker.hasSession(client);
        return exists.thenCompose(there -> {
            if (!there) {
                return CompletableFuture.completedStage(true);
            }
            return !same && access.isSameUserOnly()
                    ? CompletableFuture.completedStage(false)
                    : broker.endSession(client).thenApply(ended -> true);
        });
    }

    private boolean take(Connection connection, Optional<Owners.Owner> owner, Outcome.Admitted admitted) {
        Admission admission = admitted.admission();
        if (!connection.admit(
                admission,
                admitted.rights(),
                () -> owners.claim(
                        connection.client,
                        owner,
                        new Owners.Owner(admission.who().user(), admitted.rights(), connection.number, true)))) {
            return false;
        }
        admission
                .expires()
                .ifPresent(when -> connection.onClose(access.at(when, () -> {
                    if (isCurrent(connection)) {
                        bridge.metrics().refused("connection", "expired");
                        bridge.audit()
                                .denied(
                                        "connection",
                                        connection.client,
                                        connection.user(),
                                        connection.address,
                                        "expired",
                                        "the token has expired");
                        var unused =
                                broker.disconnect(connection.client, MAXIMUM_CONNECT_TIME, "the token has expired");
                    }
                })));
        // the file may have changed while the check was under way
        changed(connection);
        return true;
    }

    private boolean isCurrent(Connection connection) {
        return owners.of(connection.client)
                .filter(owner -> owner.connected() && owner.connection() == connection.number)
                .isPresent();
    }

    private void changed(Connection connection) {
        Optional<Admission> admission = connection.admission();
        if (admission.isEmpty() || !isCurrent(connection)) {
            return;
        }
        Optional<Rights> now = access.again(admission.get());
        if (now.equals(connection.rights())) {
            return;
        }
        int code = now.isEmpty() ? NOT_AUTHORIZED : ADMINISTRATIVE_ACTION;
        String text = now.isEmpty() ? "not admitted any more" : "the client's rights have changed, connect again";
        bridge.metrics().refused("connection", now.isEmpty() ? "not_admitted" : "other_rights");
        bridge.audit()
                .denied(
                        "connection",
                        connection.client,
                        connection.user(),
                        connection.address,
                        now.isEmpty() ? "not_admitted" : "other_rights",
                        "the security file has changed");
        var unused = broker.disconnect(connection.client, code, text)
                .thenCompose(done -> broker.endSession(connection.client));
    }

    void disconnected(Connection connection, boolean sessionEnds) {
        connection.close();
        owners.disconnected(connection.client, connection.number, sessionEnds);
    }

    /** HiveMQ does not say when a session ends. */
    private void sweep() {
        for (String client : owners.offline()) {
            Optional<Owners.Owner> owner = owners.of(client);
            var unused = broker.hasSession(client).thenAccept(there -> {
                if (!there) {
                    owner.filter(o -> !o.connected()).ifPresent(o -> owners.forget(client, o));
                }
            });
        }
    }

    private void refuse(Connection connection, Outcome.Denied denied, SimpleAuthOutput output) {
        bridge.metrics().refused("connect", denied.reason());
        bridge.audit()
                .denied(
                        "connect",
                        connection.client,
                        connection.userName,
                        connection.address,
                        denied.reason(),
                        denied.detail());
        output.failAuthentication(ReasonCodes.connack(denied.code()), denied.text());
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static Optional<String> commonName(SimpleAuthInput input) {
        return input.getConnectionInformation()
                .getClientTlsInformation()
                .flatMap(ClientTlsInformation::getClientCertificate)
                .map(Admissions::commonName);
    }

    /** Of the subject (RFC 2253); empty text if there is none, which is nobody's user name. */
    private static String commonName(X509Certificate certificate) {
        try {
            List<Rdn> parts = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
            return parts.stream()
                    .filter(part -> part.getType().equalsIgnoreCase("CN"))
                    .map(part -> String.valueOf(part.getValue()))
                    .reduce((first, last) -> last)
                    .orElse("");
        } catch (InvalidNameException e) {
            return "";
        }
    }
}
