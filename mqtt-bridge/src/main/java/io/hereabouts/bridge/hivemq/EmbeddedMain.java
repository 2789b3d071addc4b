package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import org.jspecify.annotations.Nullable;

/** Puts the gates into an embedded broker when that starts; an embedded broker lets every client in by itself. */
final class EmbeddedMain implements ExtensionMain {

    private final Bridge bridge;
    private volatile @Nullable BrokerServices services;

    EmbeddedMain(Bridge bridge) {
        this.bridge = bridge;
    }

    @Override
    public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
        services = Gates.register(bridge, ConnectGate.Admitting.BROKER);
    }

    @Override
    public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

    /** HiveMQ's services; only after the start. */
    BrokerServices services() {
        BrokerServices captured = services;
        if (captured == null) {
            throw new IllegalStateException("HiveMQ has not started the extension");
        }
        return captured;
    }
}
