package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.auth.Authenticator;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.AuthenticatorProviderInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extension.sdk.api.events.client.ClientLifecycleEventListener;
import com.hivemq.extension.sdk.api.events.client.parameters.AuthenticationSuccessfulInput;
import com.hivemq.extension.sdk.api.events.client.parameters.ClientInitiatedDisconnectInput;
import com.hivemq.extension.sdk.api.events.client.parameters.ConnectionStartInput;
import com.hivemq.extension.sdk.api.events.client.parameters.DisconnectEventInput;
import com.hivemq.extension.sdk.api.interceptor.connack.ConnackOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.connack.parameter.ConnackOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.connack.parameter.ConnackOutboundOutput;
import com.hivemq.extension.sdk.api.interceptor.connect.ConnectInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.connect.parameter.ConnectInboundInput;
import com.hivemq.extension.sdk.api.interceptor.connect.parameter.ConnectInboundOutput;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.general.DisconnectedReasonCode;
import io.hereabouts.bridge.access.Access;
import java.net.InetAddress;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connections from CONNECT to their end. Refuses a CONNECT with a will that must not be, and takes those about entities
 * from HiveMQ. Thread-safe.
 */
final class ConnectGate
        implements SimpleAuthenticator,
                ClientLifecycleEventListener,
                ConnectInboundInterceptor,
                ConnackOutboundInterceptor {

    private static final String NUMBER = "hereabouts.connection";
    private static final String WILL = "hereabouts.will";
    private static final int UNSPECIFIED_ERROR = 0x80;

    private final Bridge bridge;
    private final HeldPubrecs heldPubrecs;
    private final Admitting admitting;
    private final WillGate wills;
    private final Optional<Admissions> admissions;
    private final Map<Long, Connection> connections = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /** Between CONNECT and the start of the connection, which HiveMQ may never come to: it keeps the key as long as the line. */
    private final Map<ConnectionInformation, AskedWill> asked = Collections.synchronizedMap(new WeakHashMap<>());

    /** Who lets clients in where there is no security file. */
    enum Admitting {
        /** The edge has to. */
        EDGE,
        /** HiveMQ does as long as nobody objects. */
        BROKER,
        /** Another extension. */
        OTHERS
    }

    ConnectGate(
            Bridge bridge,
            HeldPubrecs heldPubrecs,
            Admitting admitting,
            WillGate wills,
            Optional<Admissions> admissions) {
        this.wills = wills;
        this.admissions = admissions;
        this.bridge = bridge;
        this.heldPubrecs = heldPubrecs;
        this.admitting = admitting;
    }

    /**
     * HiveMQ asks this before it says that a connection starts, and after that has the will only as it was left here: it
     * does not get to know of wills that are the edge's.
     */
    @Override
    public void onConnect(ConnectInboundInput input, ConnectInboundOutput output) {
        ConnectionInformation information = input.getConnectionInformation();
        long number = last.incrementAndGet();
        information.getConnectionAttributeStore().putAsString(NUMBER, String.valueOf(number));
        if (input.getConnectPacket().getWillPublish().isEmpty()) {
            return;
        }
        information.getConnectionAttributeStore().putAsString(WILL, "asked");
        String client = input.getClientInformation().getClientId();
        AskedWill will = AskedWill.of(input.getConnectPacket(), client, number, bridge);
        asked.put(information, will);
        if (will.spatial().isPresent()) {
            output.getConnectPacket().setWillPublish(null);
        } else {
            output.getConnectPacket()
                    .getModifiableWillPublish()
                    .ifPresent(plain -> bridge.strip(plain.getUserProperties()));
        }
    }

    private AskedWill asked(ConnectionInformation information) {
        AskedWill will = asked.remove(information);
        if (will != null) {
            return will;
        }
        return information.getConnectionAttributeStore().getAsString(WILL).isPresent()
                ? AskedWill.refused("bug", UNSPECIFIED_ERROR, "internal error")
                : AskedWill.PLAIN;
    }

    @Override
    public void onMqttConnectionStart(ConnectionStartInput input) {
        ConnectionInformation information = input.getConnectionInformation();
        long number = information
                .getConnectionAttributeStore()
                .getAsString(NUMBER)
                .map(Long::parseLong)
                .orElseGet(last::incrementAndGet);
        String client = input.getClientInformation().getClientId();
        String address =
                information.getInetAddress().map(InetAddress::getHostAddress).orElse("");
        connections.put(number, new Connection(number, client, asked(information), address, input.getConnectPacket()));
        information.getConnectionAttributeStore().putAsString(NUMBER, String.valueOf(number));
    }

    /** One that decides, or null: an authenticator that does not decide would be taken for one that denies. */
    @Nullable
    Authenticator authenticator(AuthenticatorProviderInput input) {
        if (admitting == Admitting.EDGE || admissions.isPresent()) {
            return this;
        }
        AskedWill will = will(input.getConnectionInformation());
        return will.refused().isPresent() || (will.spatial().isPresent() && admitting == Admitting.BROKER)
                ? this
                : null;
    }

    private AskedWill will(ConnectionInformation information) {
        Connection connection = of(information);
        return connection == null ? AskedWill.PLAIN : connection.will;
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
        Optional<RefusedWill> refused = will(input.getConnectionInformation()).refused();
        if (refused.isEmpty()) {
            admit(input, output);
        } else {
            wills.refuse(refused.get(), output);
        }
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
        wills.accepted(connection, output);
        String owner = owner(connection);
        bridge.loop().execute(() -> {
            bridge.clients().wills().connected(connection.client, connection.number, newSession);
            bridge.clients().claims().connected(connection.client, connection.number, owner);
            bridge.state()
                    .connected(
                            connection.client,
                            connection.number,
                            newSession,
                            connection.maxPacketBytes,
                            bridge.clock().millis());
        });
    }

    /** The user that the client id belongs to, the anonymous ones being one; null if it belongs to nobody. */
    private @Nullable String owner(Connection connection) {
        return bridge.access().filter(Access::isSameUserOnly).isPresent()
                ? connection.admission().flatMap(shown -> shown.who().user()).orElse("")
                : null;
    }

    private void admit(SimpleAuthInput input, SimpleAuthOutput output) {
        Connection connection = of(input.getConnectionInformation());
        if (admissions.isEmpty()) {
            if (connection != null && connection.will.spatial().isPresent()) {
                wills.admit(connection, output);
            } else {
                output.authenticateSuccessfully();
            }
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
    public void onClientInitiatedDisconnect(ClientInitiatedDisconnectInput input) {
        ended(
                input,
                input.getReasonCode().orElse(DisconnectedReasonCode.NORMAL_DISCONNECTION)
                        == DisconnectedReasonCode.NORMAL_DISCONNECTION);
    }

    @Override
    public void onDisconnect(DisconnectEventInput input) {
        ended(input, false);
    }

    /** @param properly whether by a DISCONNECT that takes the will back */
    private void ended(DisconnectEventInput input, boolean properly) {
        Connection connection = of(input.getConnectionInformation());
        if (connection == null) {
            return;
        }
        connections.remove(connection.number);
        connection.close();
        boolean sessionEnds = connection.lastsSeconds() == 0;
        admissions.ifPresent(a -> a.disconnected(connection, sessionEnds));
        if (sessionEnds) {
            heldPubrecs.forget(connection.client);
        }
        bridge.loop().execute(() -> {
            bridge.clients()
                    .wills()
                    .disconnected(
                            connection.client,
                            connection.number,
                            properly || connection.hasGivenUpWill(),
                            connection.lastsSeconds(),
                            bridge.clock().millis());
            bridge.clients()
                    .claims()
                    .disconnected(
                            connection.client,
                            connection.number,
                            connection.lastsSeconds(),
                            bridge.clock().millis());
            bridge.state()
                    .disconnected(
                            connection.client,
                            connection.number,
                            sessionEnds,
                            bridge.clock().millis());
        });
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
