package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import io.hereabouts.bridge.access.PasswordHash;
import io.hereabouts.launcher.device.EdgeKey;
import io.hereabouts.launcher.device.TokenIssuer;
import io.hereabouts.launcher.device.Trust;
import io.hereabouts.model.entity.Category;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Oracle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The whole stack with a security file, and unmodified clients that come by TLS with a token of an issuer's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecuredCityIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);

    private EmbeddedStack stack;
    private TokenIssuer issuer;
    private EdgeKey key;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        issuer = TokenIssuer.start();
        key = EdgeKey.make(folder);
        Path file = Files.writeString(
                folder.resolve("security.yaml"),
                issuer.jwtSection()
                        + """
                users:
                  warden: {password: '%s', roles: [warden]}
                neighborhoods:
                  here: %s
                roles:
                  warden:
                    publish: [{topics: traffic/#, about: {categories: [detector], neighborhoods: [here]}}]
                  device:
                    publish: [{topics: 'traffic/${username}', about: {entities: [detector/*]}}]
                """
                                .formatted(
                                        PasswordHash.of("secret"),
                                        CITY.oneStageDescriptor().replaceAll("\\s+", " ")));
        Map<String, String> settings = new HashMap<>(key.settings());
        settings.putAll(Map.of(
                "data", folder.resolve("data").toString(),
                "kafka.port", "0",
                "mqtt.port", "0",
                "mqtt.listeners", "tcp,tls,secure-websocket",
                "mqtt.tls.port", "0",
                "mqtt.websocket.secure-port", "0",
                "security.file", file.toString()));
        StackSettings loaded = Settings.load(Optional.empty(), settings, Map.of());
        stack = EmbeddedStack.launch(loaded, new SimpleMeterRegistry(), CITY.entities());
    }

    @AfterAll
    void stop() {
        stack.close();
        issuer.close();
    }

    private static String run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private String token(String user) throws Exception {
        return issuer.token(user, "device");
    }

    @Test
    void shouldLetARoleSpeakForTheEntitiesOfANeighborhoodOnly() throws Exception {
        SortedSet<String> inside = new Oracle(CITY.entities(), List.of())
                .resolve(new DescriptorParser(DescriptorLimits.DEFAULT).parse(CITY.oneStageDescriptor()));
        String outside = CITY.entities().stream()
                .filter(e -> e.isA(Category.of("detector")))
                .map(e -> e.id().value())
                .filter(id -> !inside.contains(id))
                .findFirst()
                .orElseThrow();
        Mqtt5BlockingClient warden = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(stack.mqttPort())
                .simpleAuth()
                .username("warden")
                .password("secret".getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth()
                .buildBlocking();
        warden.connect();
        await().until(() -> publish(warden, inside.first()) == 0);
        for (String entity : inside) {
            assertThat(publish(warden, entity)).as(entity).isZero();
        }
        assertThat(publish(warden, outside)).isEqualTo(0x87);
        warden.disconnect();
    }

    private static int publish(Mqtt5BlockingClient client, String entity) {
        try {
            client.publishWith()
                    .topic("traffic/now")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .userProperties()
                    .add("entity", entity)
                    .applyUserProperties()
                    .send();
            return 0;
        } catch (Mqtt5PubAckException e) {
            return e.getMqttMessage().getReasonCode().getCode();
        }
    }

    @Test
    void shouldServeMqttJsByTlsAndToken() throws Exception {
        String tls = "mqtts://localhost:" + stack.mqttPorts().get(MqttListener.TLS);
        String webSocket = "wss://localhost:" + stack.mqttPorts().get(MqttListener.SECURE_WEBSOCKET) + "/mqtt";
        assertThat(node(tls, token("d1"), "traffic/d1")).isEqualTo("published 0");
        assertThat(node(webSocket, token("d1"), "traffic/d1")).isEqualTo("published 0");
        assertThat(node(webSocket, token("d1"), "traffic/d2")).isEqualTo("published " + 0x87);
        assertThat(node(tls, token("d2"), "traffic/d1")).isEqualTo("error " + 0x86);
        assertThat(node(tls, token("d1").replaceFirst("\\.[^.]*$", ".x"), "traffic/d1"))
                .isEqualTo("error " + 0x86);
    }

    private String node(String url, String token, String topic) throws Exception {
        ProcessBuilder node = new ProcessBuilder(
                "timeout",
                "60",
                "node",
                "target/clients/secured.js",
                url,
                key.certificate().toString(),
                "d1",
                token,
                topic,
                "detector/1");
        node.environment().put("NODE_PATH", new File("target/clients/node_modules").getAbsolutePath());
        return run(node).strip();
    }

    @Test
    void shouldServePahoByTlsAndToken() throws Exception {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setSocketFactory(
                Trust.in(key.certificate().toString()).context().getSocketFactory());
        options.setUserName("d3");
        options.setPassword(token("d3").getBytes(StandardCharsets.UTF_8));
        String url = "ssl://localhost:" + stack.mqttPorts().get(MqttListener.TLS);
        var paho = new org.eclipse.paho.mqttv5.client.MqttClient(url, "paho", new MemoryPersistence());
        try {
            paho.connect(options);
            assertThat(paho.isConnected()).isTrue();
            paho.disconnect();
            options.setPassword("guess".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> paho.connect(options))
                    .isInstanceOfSatisfying(MqttException.class, e -> assertThat(e.getReasonCode())
                            .isEqualTo(0x86));
        } finally {
            paho.close();
        }
    }
}
