package io.hereabouts.bridge;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.MqttWebSocketConfig;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.password4j.BcryptFunction;
import com.password4j.Password;
import io.hereabouts.bridge.Listeners.Store;
import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.access.Tokens;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.settings.StackSettings.ClientCertificate;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** An edge with a security file, all kinds of listeners, an issuer of tokens and a small world. */
final class SecuredStack implements AutoCloseable {

    static final String ZONE = EdgeStack.descriptor("zone/17");

    private static final String FILE =
            """
            users:
              alice: {password: '%1$s', roles: [driver]}
              bob: {password: '%1$s', roles: [driver]}
              watcher: {password: '%1$s', roles: [watcher]}
              works: {password: '%1$s', roles: [works]}
              root: {password: '%1$s', roles: [all]}
              sensor-7: {roles: [driver]}
            jwt:
              issuer: %2$s
              audience: %3$s
              algorithms: [ES256]
              jwks-file: keys.json
              clock-skew-seconds: 0
            neighborhoods:
              zone-17: %4$s
            roles:
              driver:
                publish:
                  - {topics: 'traffic/${username}/#', about: {entities: ['vehicle/${username}']}}
                  - {topics: 'chat/${username}'}
                subscribe:
                  - {topics: [chat/#, 'own/${clientid}']}
              watcher:
                subscribe:
                  - {topics: traffic/#, within: {neighborhoods: [zone-17]}}
                  - {topics: parking/#, within: {categories: [parking]}}
                  - {topics: chat/+}
              works:
                publish:
                  - {topics: works/#, about: {categories: [road]}}
                  - {topics: zone/#, about: {neighborhoods: [zone-17]}}
              all:
                publish: [{topics: '#', about: anything}]
                subscribe: [{topics: '#'}]
            """;

    final EdgeStack stack = new EdgeStack();
    final ScriptedPipeline pipeline = stack.pipeline();
    final Tokens issuer = new Tokens();
    final Path folder;
    final Path file;
    final Store server;
    final Store sensor;
    final Store trust;
    final Edge edge;

    SecuredStack(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("security.yaml");
        TestKeys keys = new TestKeys(folder);
        this.server = keys.make("localhost");
        this.sensor = keys.make("sensor-7");
        this.trust = keys.trusting("trust", server, sensor);
        try {
            Files.writeString(folder.resolve("keys.json"), issuer.keySet());
            Files.writeString(file, text());
            pipeline.define(EdgeStack.neighborhood(ZONE), "road/7", "road/8");
            write("road/1", "road/major");
            write("house/1", "house");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        Listeners.Tls tls =
                new Listeners.Tls(server, TestKeys.PASSWORD, Optional.of(trust), ClientCertificate.OPTIONAL);
        Listeners listeners = new Listeners(
                "localhost",
                Map.of(
                        MqttListener.TCP, 0,
                        MqttListener.TLS, 0,
                        MqttListener.WEBSOCKET, 0,
                        MqttListener.SECURE_WEBSOCKET, 0),
                "/spatial",
                Optional.of(tls));
        this.edge = stack.edge("secured", b -> b.listen(listeners)
                .sessions(Optional.of(folder.resolve("data")))
                .security(Optional.of(new Access.Settings(file, Duration.ofMillis(50), true))));
    }

    /** One more edge with the same security file. */
    Edge another(String name) {
        return stack.edge(name, b -> b.security(Optional.of(new Access.Settings(file, Duration.ofMillis(50), true))));
    }

    /** The same, with sessions that outlive it: to be closed and started again. */
    Edge keeping(String name) {
        return stack.edge(name, b -> b.sessions(Optional.of(folder.resolve(name)))
                .security(Optional.of(new Access.Settings(file, Duration.ofMillis(50), true))));
    }

    /** The security file as it is at first. */
    String text() {
        String hash =
                Password.hash("secret").with(BcryptFunction.getInstance(4)).getResult();
        return FILE.formatted(hash, Tokens.ISSUER, Tokens.AUDIENCE, ZONE);
    }

    /** Replaces the security file at once, as editors do. */
    void replace(String text) {
        try {
            Path next = Files.writeString(folder.resolve("next.yaml"), text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String id, String category) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(stack.kafka.producer("world"))) {
            producer.send(new ProducerRecord<>(
                            stack.topics.entities(),
                            id.getBytes(StandardCharsets.UTF_8),
                            Framing.encode(new Entity(1L, List.of(category), null))))
                    .get();
        }
    }

    double refused(String packet, String reason) {
        return stack.count("hereabouts.edge.refused", "packet", packet, "reason", reason);
    }

    int port(MqttListener kind) {
        return Optional.ofNullable(edge.ports().get(kind)).orElseThrow();
    }

    /** A client that is not connected yet. */
    Guest guest(String id, @Nullable String user, @Nullable String password) {
        return new Guest(builder(id, user, password));
    }

    /** One at another edge. */
    Guest guest(Edge at, String id, String user) {
        return new Guest(builder(id, user, "secret").serverPort(at.port()));
    }

    /** A client that is. */
    Guest connected(String id, String user) {
        Guest guest = guest(id, user, "secret");
        guest.mqtt.connect();
        return guest;
    }

    Mqtt5ClientBuilder builder(String id, @Nullable String user, @Nullable String password) {
        Mqtt5ClientBuilder builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier(id)
                .serverHost("localhost")
                .serverPort(port(MqttListener.TCP));
        if (user == null && password == null) {
            return builder;
        }
        if (user == null) {
            return builder.simpleAuth()
                    .password(String.valueOf(password).getBytes(StandardCharsets.UTF_8))
                    .applySimpleAuth();
        }
        var auth = builder.simpleAuth().username(user);
        return password == null
                ? auth.applySimpleAuth()
                : auth.password(password.getBytes(StandardCharsets.UTF_8)).applySimpleAuth();
    }

    UnaryOperator<Mqtt5ClientBuilder> by(MqttListener kind, @Nullable Store key) {
        return builder -> {
            Mqtt5ClientBuilder next = builder.serverPort(port(kind));
            if (kind == MqttListener.WEBSOCKET || kind == MqttListener.SECURE_WEBSOCKET) {
                next = next.webSocketConfig(
                        MqttWebSocketConfig.builder().serverPath("spatial").build());
            }
            if (kind == MqttListener.TLS || kind == MqttListener.SECURE_WEBSOCKET) {
                var ssl = MqttClientSslConfig.builder().trustManagerFactory(TestKeys.trust(trust));
                next = next.sslConfig((key == null ? ssl : ssl.keyManagerFactory(TestKeys.key(key))).build());
            }
            return next;
        };
    }

    /** A client that keeps what it gets and why it was disconnected. */
    static final class Guest implements AutoCloseable {
        final Mqtt5BlockingClient mqtt;
        final Mqtt5AsyncClient async;
        final BlockingQueue<Mqtt5Publish> received = new LinkedBlockingQueue<>();
        volatile @Nullable Throwable disconnectCause;

        Guest(Mqtt5ClientBuilder builder) {
            mqtt = builder.addDisconnectedListener(context -> disconnectCause = context.getCause())
                    .buildBlocking();
            async = mqtt.toAsync();
            async.publishes(MqttGlobalPublishFilter.ALL, received::add);
        }

        /** The code of the CONNACK; 0 if it gets in. */
        int connack() {
            try {
                mqtt.connect();
                return 0;
            } catch (Mqtt5ConnAckException e) {
                return e.getMqttMessage().getReasonCode().getCode();
            }
        }

        @Override
        public void close() {
            if (mqtt.getState().isConnected()) {
                mqtt.disconnect();
            }
        }
    }

    @Override
    public void close() {
        stack.close();
    }
}
