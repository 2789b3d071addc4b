package io.hereabouts.bridge.hivemq;

import io.hereabouts.bridge.loop.Broker;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.net.InetSocketAddress;
import java.util.Map;

/** The broker that an edge's gates are in. */
public interface HostBroker extends AutoCloseable {

    /** Where its first listener is bound, once it listens. */
    InetSocketAddress listener();

    /** The ports of the listeners that are named as the edge names its own. */
    Map<MqttListener, Integer> ports();

    /** For those who hand deliveries to clients. */
    Broker services();

    @Override
    void close();
}
