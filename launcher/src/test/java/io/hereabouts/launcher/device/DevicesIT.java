package io.hereabouts.launcher.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.device.Device.Door;
import io.hereabouts.launcher.device.Device.Message;
import io.hereabouts.launcher.device.Device.Wish;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.process.CutableProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What devices rely on, with each of the clients that they have; all come by TLS with a token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DevicesIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;

    private EmbeddedStack stack;
    private TokenIssuer issuer;
    private EdgeKey edgeKey;
    private String near;
    private String inside;
    private final List<Device> devices = new ArrayList<>();

    /** The clients, and how one is made. */
    enum Client {
        MOSQUITTO {
            @Override
            Device device(String id) {
                return new MosquittoDevice(id);
            }
        },
        MQTT_JS {
            @Override
            Device device(String id) throws Exception {
                return new MqttJsDevice(id);
            }
        },
        PAHO {
            @Override
            Device device(String id) {
                return new PahoDevice(id);
            }
        },
        HIVEMQ {
            @Override
            Device device(String id) {
                return new HiveMqDevice(id);
            }
        };

        abstract Device device(String id) throws Exception;
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        issuer = TokenIssuer.start();
        edgeKey = EdgeKey.make(folder);
        near = DescriptorParser.onOneLine(CITY.oneStageDescriptor());
        inside = near().first();
        Path file = Files.writeString(
                folder.resolve("security.yaml"),
                issuer.jwtSection()
                        + """
                        roles:
                          device:
                            publish: [{topics: 'devices/#', about: {categories: [detector]}}]
                            subscribe: [{topics: 'devices/#', within: {categories: [detector]}}]
                        """);
        Map<String, String> settings = new HashMap<>(edgeKey.settings());
        settings.putAll(Map.of(
                "data", folder.resolve("data").toString(),
                "kafka.port", "0",
                "mqtt.listeners", "tls",
                "mqtt.tls.port", "0",
                "security.file", file.toString()));
        stack = EmbeddedStack.launch(
                Settings.load(Optional.empty(), settings, Map.of()), new SimpleMeterRegistry(), CITY.entities());
    }

    @AfterEach
    void close() {
        devices.forEach(Device::close);
        devices.clear();
    }

    @AfterAll
    void stop() {
        stack.close();
        issuer.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGetInOrderWhatCameWhileItSlept(Client client) throws Exception {
        String id = client + "-sleeper";
        Device sleeper = device(client, id);
        Wish wish = wish("devices/" + id, 600, null);
        assertThat(sleeper.listen(door(id), wish)).isZero();
        sleeper.leave();
        Device other = device(client, client + "-other");
        for (int n = 1; n <= 5; n++) {
            other.publish(door(client + "-other"), message("devices/" + id, String.valueOf(n), false));
        }

        assertThat(sleeper.listen(door(id), wish)).isZero();

        other.publish(door(client + "-other"), message("devices/" + id, "last", false));
        await().atMost(SOON).until(() -> sleeper.heard().contains("last"));
        assertThat(sleeper.heard()).containsExactly("1", "2", "3", "4", "5", "last");
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeToldWhatIsRetained(Client client) throws Exception {
        String id = client + "-late";
        Device other = device(client, client + "-other");
        other.publish(door(client + "-other"), message("devices/" + id, "before", true));
        other.publish(door(client + "-other"), message("devices/" + id, "retained", true));
        Device late = device(client, id);

        assertThat(late.listen(door(id), wish("devices/" + id, 0, null))).isZero();

        await().atMost(SOON).until(() -> !late.heard().isEmpty());
        other.publish(door(client + "-other"), message("devices/" + id, "live", true));
        await().atMost(SOON).until(() -> late.heard().contains("live"));
        assertThat(late.heard()).containsExactly("retained (retained)", "live");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSpeakItsLastWillWhenItsConnectionIsCut(Client client) throws Exception {
        String id = client + "-lost";
        String topic = "devices/" + id;
        Device listener = device(client, client + "-listener");
        assertThat(listener.listen(door(client + "-listener"), wish(topic, 0, null)))
                .isZero();
        try (CutableProxy line = CutableProxy.to("localhost", port())) {
            Device lost = device(client, id);
            Door door = new Door(line.port(), edgeKey.certificate().toString(), issuer.token(id, "device"));
            assertThat(lost.listen(door, wish("devices/none", 0, message(topic, "gone", false))))
                    .isZero();
            assertThat(listener.heard()).isEmpty();

            line.cut();

            await().atMost(SOON).until(() -> listener.heard().contains("gone"));
        }
        assertThat(listener.heard()).containsExactly("gone");
    }

    @ParameterizedTest
    @EnumSource
    void shouldShareWithTheOthersOfItsGroup(Client client) throws Exception {
        String topic = "devices/" + client + "-shared";
        List<Device> members = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            String id = client + "-member-" + n;
            Device member = device(client, id);
            assertThat(member.listen(door(id), wish("$share/group/" + topic, 0, null)))
                    .isZero();
            members.add(member);
        }
        Device other = device(client, client + "-other");
        List<String> published = new ArrayList<>();
        for (String entity : near()) {
            other.publish(door(client + "-other"), new Message(topic, entity, entity, false));
            published.add(entity);
        }

        await().atMost(SOON).untilAsserted(() -> assertThat(members.stream().flatMap(m -> m.heard().stream()))
                .containsExactlyInAnyOrderElementsOf(published));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotGetInWithATokenThatNobodySigned(Client client) throws Exception {
        String id = client + "-forger";
        String other = issuer.token("somebody", "device");
        Door door = new Door(
                port(),
                edgeKey.certificate().toString(),
                issuer.token(id, "device").replaceFirst("\\.[^.]*$", other.substring(other.lastIndexOf('.'))));

        assertThat(device(client, id).listen(door, wish("devices/" + id, 0, null)))
                .isEqualTo(BAD_USER_NAME_OR_PASSWORD);
    }

    /** All that are in the neighborhood. */
    private SortedSet<String> near() throws Exception {
        return new Oracle(CITY.entities(), List.of())
                .resolve(new DescriptorParser(DescriptorLimits.DEFAULT).parse(near));
    }

    private Device device(Client client, String id) throws Exception {
        Device device = client.device(id);
        devices.add(device);
        return device;
    }

    private Door door(String id) throws Exception {
        return new Door(port(), edgeKey.certificate().toString(), issuer.token(id, "device"));
    }

    private int port() {
        return stack.mqttPorts().get(MqttListener.TLS);
    }

    private Wish wish(String topicFilter, int expirySeconds, @Nullable Message will) {
        return new Wish(topicFilter, near, expirySeconds, will);
    }

    private Message message(String topic, String payload, boolean retain) {
        return new Message(topic, payload, inside, retain);
    }
}
