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
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Connections from CONNECT to their end. Refuses a CONNECT whose will names an entity: a will never passes the inbound
 * interceptor, so HiveMQ would hand it to plain subscribers and to nobody else. Thread-safe.
 */
final class ConnectGate implements SimpleAuthenticator, ClientLifecycleEventListener {

    private static final String NUMBER = "hereabouts.connection";

    private final Bridge bridge;
    private final RefusedQos2 refusedQos2;
    private final boolean admitsAll;
    private final Map<Long, Connection> connections = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    ConnectGate(Bridge bridge, RefusedQos2 refusedQos2, boolean admitsAll) {
        this.bridge = bridge;
        this.refusedQos2 = refusedQos2;
        this.admitsAll = admitsAll;
    }

    @Override
    public void onMqttConnectionStart(ConnectionStartInput input) {
        long number = last.incrementAndGet();
        String client = input.getClientInformation().getClientId();
        boolean spatialWill = input.getConnectPacket()
                .getWillPublish()
                .flatMap(
                        will -> will.getUserProperties().getFirst(bridge.names().entity()))
                .isPresent();
        connections.put(number, new Connection(number, client, spatialWill, input.getConnectPacket()));
        input.getConnectionInformation().getConnectionAttributeStore().putAsString(NUMBER, String.valueOf(number));
    }

    /** One that decides, or null: an authenticator that does not decide would be taken for one that denies. */
    @Nullable
    Authenticator authenticator(AuthenticatorProviderInput input) {
        return admitsAll || hasSpatialWill(input.getConnectionInformation()) ? this : null;
    }

    private boolean hasSpatialWill(ConnectionInformation information) {
        Connection connection = of(information);
        return connection != null && connection.spatialWill;
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
        if (!hasSpatialWill(input.getConnectionInformation())) {
            output.authenticateSuccessfully();
            return;
        }
        bridge.metrics().refused("connect", "will_with_entity");
        output.failAuthentication(
                ConnackReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
                "will with user property '" + bridge.names().entity() + "': a will cannot be about an entity");
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
        if (sessionEnds) {
            refusedQos2.forget(connection.client);
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
