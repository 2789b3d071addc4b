package io.hereabouts.bridge.hivemq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttClientSslConfigBuilder;
import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.admin.AdminService;
import io.hereabouts.bridge.Listeners;
import io.hereabouts.bridge.Listeners.Store;
import io.hereabouts.bridge.TestKeys;
import io.hereabouts.schemas.settings.StackSettings.ClientCertificate;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenersIT {

    /** Where the broker listens. */
    private static final class Admin implements ExtensionMain {
        private volatile @Nullable AdminService admin;

        @Override
        public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
            admin = Services.adminService();
        }

        @Override
        public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

        int port() {
            return Objects.requireNonNull(admin)
                    .getServerInformation()
                    .getListener()
                    .iterator()
                    .next()
                    .getPort();
        }
    }

    private static Mqtt5BlockingClient client(int port, Store trust, @Nullable Store key) {
        MqttClientSslConfigBuilder ssl = MqttClientSslConfig.builder().trustManagerFactory(TestKeys.trust(trust));
        return MqttClient.builder()
                .useMqttVersion5()
                .serverHost("localhost")
                .serverPort(port)
                .sslConfig((key == null ? ssl : ssl.keyManagerFactory(TestKeys.key(key))).build())
                .buildBlocking();
    }

    @Test
    void shouldLetNobodyInWithoutACertificateWhereOneIsRequired(@TempDir Path folder) throws Exception {
        TestKeys keys = new TestKeys(folder);
        Store server = keys.make("localhost");
        Store sensor = keys.make("sensor");
        Store stranger = keys.make("stranger");
        Store clients = keys.trusting("clients", sensor);
        Store trust = keys.trusting("server-only", server);
        Admin admin = new Admin();
        Listeners listeners = new Listeners(
                "localhost",
                Map.of(MqttListener.TLS, 0),
                "/mqtt",
                Optional.of(new Listeners.Tls(
                        server, TestKeys.PASSWORD, Optional.of(clients), ClientCertificate.REQUIRED)));
        HiveMq.Settings settings = new HiveMq.Settings(folder.resolve("hivemq"), true, listeners, 1 << 20, 100, 100);
        try (HiveMq broker = HiveMq.start(
                settings,
                Optional.of(EmbeddedExtension.builder()
                        .withId("t")
                        .withName("t")
                        .withVersion("1")
                        .withExtensionMain(admin)
                        .build()))) {
            assertThat(broker).isNotNull();
            Mqtt5BlockingClient known = client(admin.port(), trust, sensor);
            known.connect();
            known.disconnect();
            assertThatThrownBy(client(admin.port(), trust, null)::connect)
                    .isInstanceOfAny(ConnectionFailedException.class, ConnectionClosedException.class);
            assertThatThrownBy(client(admin.port(), trust, stranger)::connect)
                    .isInstanceOfAny(ConnectionFailedException.class, ConnectionClosedException.class);
        }
    }
}
