package io.hereabouts.bridge.hivemq;

import io.hereabouts.bridge.loop.Broker;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.net.InetSocketAddress;
import java.util.Map;

/** A HiveMQ that runs by itself and that the edge was installed in; it starts and stops the edge, not the edge it. */
public final class SurroundingBroker implements HostBroker {

    private final BrokerServices services;

    private SurroundingBroker(BrokerServices services) {
        this.services = services;
    }

    /**
     * Puts the gates into the HiveMQ that is just starting; to be called in an {@code extensionStart} only.
     *
     * @param admitsAll whether clients get in that no other extension lets in
     */
    public static SurroundingBroker enter(Bridge bridge, boolean admitsAll) {
        return new SurroundingBroker(
                Gates.register(bridge, admitsAll ? ConnectGate.Admitting.EDGE : ConnectGate.Admitting.OTHERS));
    }

    @Override
    public InetSocketAddress listener() {
        return services.listener();
    }

    @Override
    public Map<MqttListener, Integer> ports() {
        return services.ports();
    }

    @Override
    public Broker services() {
        return services;
    }

    /** HiveMQ forgets the gates of an extension that it stops. */
    @Override
    public void close() {}
}
