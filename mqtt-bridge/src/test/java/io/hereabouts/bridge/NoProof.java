package io.hereabouts.bridge;

import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientConfig;
import com.hivemq.client.mqtt.mqtt5.auth.Mqtt5EnhancedAuthMechanism;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5Auth;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5AuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5EnhancedAuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import java.util.concurrent.CompletableFuture;

/** An authentication method that the edge does not have. */
final class NoProof implements Mqtt5EnhancedAuthMechanism {

    @Override
    public MqttUtf8String getMethod() {
        return MqttUtf8String.of("NO-PROOF");
    }

    @Override
    public int getTimeout() {
        return 10;
    }

    @Override
    public CompletableFuture<Void> onAuth(
            Mqtt5ClientConfig config, Mqtt5Connect connect, Mqtt5EnhancedAuthBuilder builder) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> onReAuth(Mqtt5ClientConfig config, Mqtt5AuthBuilder builder) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Boolean> onServerReAuth(
            Mqtt5ClientConfig config, Mqtt5Auth auth, Mqtt5AuthBuilder builder) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletableFuture<Boolean> onContinue(Mqtt5ClientConfig config, Mqtt5Auth auth, Mqtt5AuthBuilder builder) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Boolean> onAuthSuccess(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Boolean> onReAuthSuccess(Mqtt5ClientConfig config, Mqtt5Auth auth) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public void onAuthRejected(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {}

    @Override
    public void onReAuthRejected(Mqtt5ClientConfig config, Mqtt5Disconnect disconnect) {}

    @Override
    public void onAuthError(Mqtt5ClientConfig config, Throwable cause) {}

    @Override
    public void onReAuthError(Mqtt5ClientConfig config, Throwable cause) {}
}
