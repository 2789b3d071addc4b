package io.hereabouts.bridge.hivemq;

import io.hereabouts.bridge.loop.Broker;
import java.net.InetSocketAddress;

/** The broker that an edge's gates are in. */
public interface HostBroker extends AutoCloseable {

    /** Where its first listener is bound, once it listens. */
    InetSocketAddress listener();

    /** For those who hand deliveries to clients. */
    Broker services();

    @Override
    void close();
}
