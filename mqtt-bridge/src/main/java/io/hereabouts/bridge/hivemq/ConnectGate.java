package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.auth.Authenticator;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.AuthenticatorProviderInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extension.sdk.api.events.client.ClientLifecycleEventListener;
import com.hivemq.extension.sdk.api.events.client.parameters.AuthenticationSuccessfulInput;
import com.hivemq.extension.sdk.api.events.client.parameters.ConnectionStartInput;
import com.hivemq.extension.sdk.api.events.client.parameters.DisconnectEventInput;
import com.hivemq.extension.sdk.api.interceptor.connack.ConnackOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.connack.parameter.ConnackOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.connack.parameter.ConnackOutboundOutput;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connections from CONNECT to their end. Refuses a CONNECT with a will that must not be: HiveMQ would hand one about an
 * entity to plain subscribers and to nobody else, and one on a hidden topic to whoever has it. Thread-safe.
 */
final class ConnectGate implements SimpleAuthenticator, ClientLifecycleEventListener, ConnackOutboundInterceptor {

    private static final String NUMBER = "hereabouts.connection";

    private final Bridge bridge;
    private final HeldPubrecs heldPubrecs;
    private final boolean admitsAll;
    private final Optional<Admissions> admissions;
    private final Map<Long, Connection> connections = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    ConnectGate(Bridge bridge, HeldPubrecs heldPubrecs, boolean admitsAll, Optional<Admissions> admissions) {
        this.admissions = admissions;
        this.bridge = bridge;
        this.heldPubrecs = heldPubrecs;
        this.admitsAll = admitsAll;
    }

    @Override
    public void onMqttConnectionStart(ConnectionStartInput input) {
        long number = last.incrementAndGet();
        String client = input.getClientInformation().getClientId();
        Optional<RefusedWill> refusedWill = input.getConnectPacket()
                .getWillPublish()
                .flatMap(will -> RefusedWill.of(will, bridge.names().entity()));
        String address = input.getConnectionInformation()
                .getInetAddress()
                .map(InetAddress::getHostAddress)
                .orElse("");
        connections.put(number, new Connection(number, client, refusedWill, address, input.getConnectPacket()));
        input.getConnectionInformation().getConnectionAttributeStore().putAsString(NUMBER, String.valueOf(number));
    }

    /** One that decides, or null: an authenticator that does not decide would be taken for one that denies. */
    @Nullable
    Authenticator authenticator(AuthenticatorProviderInput input) {
        return admitsAll
                        || admissions.isPresent()
                        || refusedWill(input.getConnectionInformation()).isPresent()
                ? this
                : null;
    }

    private Optional<RefusedWill> refusedWill(ConnectionInformation information) {
        Connection connection = of(information);
        return connection == null ? Optional.empty() : connection.refusedWill;
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
        Optional<RefusedWill> refused = refusedWill(input.getConnectionInformation());
        if (refused.isEmpty()) {
            admit(input, output);
            return;
        }
        RefusedWill will = refused.get();
        bridge.metrics().refused("connect", will.counted());
        output.failAuthentication(will.code(), will.reason());
    }

    /** From here on the client can be served; only now HiveMQ says whether it still had a session. */
    @Override
    public void onOutboundConnack(ConnackOutboundInput input, ConnackOutboundOutput output) {
        Connection connection = of(input.getConnectionInformation());
        if (connection == null || input.getConnackPacket().getReasonCode() != ConnackReasonCode.SUCCESS) {
            return;
        }
        boolean newSession = !input.getConnackPacket().getSessionPresent();
        if (newSession) {
            heldPubrecs.forget(connection.client);
        }
        bridge.loop().execute(() -> bridge.state()
                .connected(
                        connection.client,
                        connection.number,
                        newSession,
                        connection.maxPacketBytes,
                        bridge.clock().millis()));
    }

    private void admit(SimpleAuthInput input, SimpleAuthOutput output) {
        Connection connection = of(input.getConnectionInformation());
        if (admissions.isEmpty()) {
            output.authenticateSuccessfully();
        } else if (connection == null) {
            // it began before the edge did, which nobody's CONNECT does
            output.failAuthentication();
        } else {
            admissions.get().decide(connection, input, output);
        }
    }

    /** Lets the security file send away whom it does not admit any more. */
    void start() {
        admissions.ifPresent(a -> a.start(connections.values()));
    }

    @Override
    public void onAuthenticationSuccessful(AuthenticationSuccessfulInput input) {}

    @Override
    public void onDisconnect(DisconnectEventInput input) {
        Connection connection = of(input.getConnectionInformation());
        if (connection == null) {
            return;
        }
        connections.remove(connection.number);
        boolean sessionEnds = connection.sessionExpirySeconds == 0;
        admissions.ifPresent(a -> a.disconnected(connection, sessionEnds));
        if (sessionEnds) {
            heldPubrecs.forget(connection.client);
        }
        bridge.loop().execute(() -> bridge.state().disconnected(connection.client, connection.number, sessionEnds));
    }

    /** The connection that a task of HiveMQ belongs to; null if it began before the extension did. */
    @Nullable
    Connection of(ConnectionInformation information) {
        return information
                .getConnectionAttributeStore()
                .getAsString(NUMBER)
                .map(number -> connections.get(Long.parseLong(number)))
                .orElse(null);
    }
}
