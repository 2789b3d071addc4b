package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.schemas.settings.StackSettings.ClientCertificate;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenersTest {

    @TempDir
    Path folder;

    private static EdgeConfig config(Map<String, String> settings) throws Exception {
        StackSettings loaded = Settings.load(Optional.empty(), settings, Map.of());
        return EdgeConfig.of(EdgeId.of("e"), loaded, Settings.kafka(loaded), EdgeConfig.sessions(loaded));
    }

    private Map<String, String> good() throws Exception {
        Path store = Files.writeString(folder.resolve("edge.p12"), "keys");
        Path password = Files.writeString(folder.resolve("password"), "hidden\n");
        return new HashMap<>(Map.of(
                "mqtt.listeners",
                "tls,websocket,secure-websocket",
                "mqtt.host",
                "0.0.0.0",
                "mqtt.tls.keystore",
                store.toString(),
                "mqtt.tls.keystore-password-file",
                password.toString(),
                "mqtt.tls.truststore",
                store.toString(),
                "mqtt.tls.truststore-password-file",
                password.toString(),
                "mqtt.tls.client-certificate",
                "required",
                "mqtt.tls.user-from-certificate",
                "true"));
    }

    @Test
    void shouldListenByTcpAlone() throws Exception {
        assertThat(config(Map.of()).listeners()).isEqualTo(Listeners.tcp("127.0.0.1", 1883));
        assertThat(config(Map.of()).security()).isEmpty();
    }

    @Test
    void shouldListenAsTheSettingsSay() throws Exception {
        EdgeConfig config = config(good());
        assertThat(config.listeners().ports())
                .isEqualTo(Map.of(
                        MqttListener.TLS, 8883,
                        MqttListener.WEBSOCKET, 8000,
                        MqttListener.SECURE_WEBSOCKET, 8443));
        assertThat(config.listeners().tls()).hasValueSatisfying(tls -> {
            assertThat(tls.keystore().password()).isEqualTo("hidden");
            assertThat(tls.keyPassword()).isEqualTo("hidden");
            assertThat(tls.client()).isEqualTo(ClientCertificate.REQUIRED);
        });
        assertThat(config.toString()).doesNotContain("hidden");
    }

    @Test
    void shouldReportAllThatIsWrongTogether() throws Exception {
        Map<String, String> bad = good();
        bad.put("mqtt.tls.keystore", "/nowhere/edge.p12");
        bad.remove("mqtt.tls.truststore");
        bad.put("mqtt.tls.keystore-password-file", "/nowhere/password");
        assertThatThrownBy(() -> config(bad))
                .hasMessageContainingAll(
                        "mqtt.tls.keystore is '/nowhere/edge.p12', which cannot be read",
                        "mqtt.tls.keystore-password-file is '/nowhere/password', which cannot be read",
                        "mqtt.tls.truststore is missing");
        assertThatThrownBy(() -> config(Map.of("mqtt.listeners", "tls")))
                .hasMessageContaining("mqtt.tls.keystore is missing");
        assertThatThrownBy(() -> config(Map.of(
                        "mqtt.listeners",
                        "tcp,websocket",
                        "mqtt.websocket.port",
                        "1883",
                        "mqtt.websocket.path",
                        "mqtt",
                        "mqtt.max-packet",
                        "10")))
                .hasMessageContainingAll(
                        "mqtt.listeners has two on one port",
                        "mqtt.websocket.path is 'mqtt'",
                        "mqtt.max-packet is '10'");
        assertThatThrownBy(() -> config(Map.of("mqtt.listeners", "tpc")))
                .hasMessageContaining("mqtt.listeners is 'tpc'");
    }

    @Test
    void shouldNeedASecurityFileThatIsThereAndCounts() throws Exception {
        assertThatThrownBy(() -> config(Map.of("security.file", "/nowhere/security.yaml", "security.reload", "0s")))
                .hasMessageContainingAll("security.file is '/nowhere/security.yaml'", "security.reload");
        Path file = Files.writeString(folder.resolve("security.yaml"), "roles: {}");
        assertThat(config(Map.of("security.file", file.toString())).security()).isPresent();
        assertThatThrownBy(() -> config(Map.of("security.file", file.toString(), "mqtt.allow-anonymous", "true")))
                .hasMessageContaining("mqtt.allow-anonymous is 'true' although there is a security.file");
    }
}
