package io.hereabouts.bridge.hivemq;

import com.hivemq.embedded.EmbeddedExtension;
import io.hereabouts.bridge.loop.Broker;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/** HiveMQ CE in this JVM with the bridge in it. */
public final class EmbeddedBroker implements HostBroker {

    private final HiveMq hivemq;
    private final BrokerServices services;

    private EmbeddedBroker(HiveMq hivemq, BrokerServices services) {
        this.hivemq = hivemq;
        this.services = services;
    }

    /** Starts the broker and waits until it listens. */
    public static EmbeddedBroker start(HiveMq.Settings settings, Bridge bridge) throws InterruptedException {
        EmbeddedMain extension = new EmbeddedMain(bridge);
        HiveMq hivemq = HiveMq.start(
                settings,
                Optional.of(EmbeddedExtension.builder()
                        .withId("hereabouts")
                        .withName("Hereabouts")
                        .withVersion("1")
                        .withExtensionMain(extension)
                        .build()));
        return new EmbeddedBroker(hivemq, extension.services());
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

    @Override
    public void close() {
        hivemq.close();
    }
}
