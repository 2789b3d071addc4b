package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.Client.message;
import static io.hereabouts.bridge.EdgeStack.Client.subscribeMessage;
import static io.hereabouts.bridge.EdgeStack.descriptor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import io.hereabouts.bridge.SecuredStack.Guest;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, and who may do what then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityIT {

    private SecuredStack secured;

    @BeforeAll
    void start(@TempDir Path folder) {
        secured = new SecuredStack(folder);
    }

    @AfterAll
    void stop() {
        secured.close();
    }

    private static int puback(Guest guest, Mqtt5Publish publish) {
        try {
            guest.mqtt.publish(publish);
            return 0;
        } catch (Mqtt5PubAckException e) {
            return e.getMqttMessage().getReasonCode().getCode();
        }
    }

    private static int suback(Guest guest, String filter, String... properties) {
        try {
            guest.mqtt.subscribe(subscribeMessage(filter, MqttQos.AT_LEAST_ONCE, properties));
            return 0;
        } catch (Mqtt5SubAckException e) {
            return e.getMqttMessage().getReasonCodes().get(0).getCode();
        }
    }

    private static int disconnect(Guest guest) {
        Throwable cause = await().until(() -> guest.disconnectCause, Objects::nonNull);
        assertThat(cause).isInstanceOf(Mqtt5DisconnectException.class);
        return ((Mqtt5DisconnectException) cause)
                .getMqttMessage()
                .getReasonCode()
                .getCode();
    }

    @Test
    void shouldAdmitByPassword() {
        double before = secured.refused("connect", "bad_credentials");
        assertThat(secured.guest("c1", "alice", "wrong").connack()).isEqualTo(0x86);
        assertThat(secured.guest("c1", "nobody", "secret").connack()).isEqualTo(0x86);
        assertThat(secured.guest("c1", "alice", null).connack()).isEqualTo(0x86);
        assertThat(secured.refused("connect", "bad_credentials")).isEqualTo(before + 3);
        assertThat(secured.guest("c1", null, null).connack()).isEqualTo(0x87);
        assertThat(secured.refused("connect", "no_role")).isPositive();
        try (Guest alice = secured.guest("c1", "alice", "secret")) {
            assertThat(alice.connack()).isZero();
        }
    }

    @Test
    void shouldAdmitByTokenUntilItExpires() {
        String token = secured.issuer.token("carol", Instant.now().plusSeconds(3), "driver");
        Guest carol = secured.guest("t1", null, token);
        assertThat(carol.connack()).isZero();
        assertThat(puback(carol, message("chat/carol", MqttQos.AT_LEAST_ONCE, "x")))
                .isZero();
        assertThat(puback(carol, message("chat/alice", MqttQos.AT_LEAST_ONCE, "x")))
                .isEqualTo(0x87);
        assertThat(disconnect(carol)).isEqualTo(0xA0);
        assertThat(secured.guest("t1", null, token).connack()).isEqualTo(0x86);
    }

    @Test
    void shouldAdmitByCertificateAndByAnyListener() {
        Guest sensor = new Guest(secured.by(MqttListener.TLS, secured.sensor).apply(secured.builder("s1", null, null)));
        assertThat(sensor.connack()).isZero();
        assertThat(puback(sensor, message("chat/sensor-7", MqttQos.AT_LEAST_ONCE, "x")))
                .isZero();
        assertThat(puback(sensor, message("chat/other", MqttQos.AT_LEAST_ONCE, "x")))
                .isEqualTo(0x87);
        sensor.close();
        Guest lies =
                new Guest(secured.by(MqttListener.TLS, secured.sensor).apply(secured.builder("s1", "alice", "secret")));
        assertThat(lies.connack()).isEqualTo(0x86);
        for (MqttListener kind : MqttListener.values()) {
            try (Guest alice = new Guest(secured.by(kind, null).apply(secured.builder("l1", "alice", "secret")))) {
                assertThat(alice.connack()).as(kind.name()).isZero();
                assertThat(puback(alice, message("chat/alice", MqttQos.AT_LEAST_ONCE, "x")))
                        .as(kind.name())
                        .isZero();
            }
        }
        Guest stranger = new Guest(secured.by(MqttListener.TLS, new TestKeys(secured.folder).make("stranger"))
                .apply(secured.builder("s2", null, null)));
        assertThat(stranger.connack())
                .as("a certificate that nobody vouches for is none")
                .isEqualTo(0x87);
    }

    @Test
    void shouldKeepPasswordsOffTheDisk() throws IOException {
        try (Stream<Path> files = Files.walk(secured.folder.resolve("data"))) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).anyMatch(file -> file.endsWith("config.xml"));
            for (Path file : all) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                        .as(file.toString())
                        .doesNotContain(TestKeys.PASSWORD, "p&lt;&amp;");
            }
        }
        assertThat(System.getProperties().values())
                .noneMatch(value -> value.toString().startsWith("p&lt;&amp;"));
    }

    @Test
    void shouldLetNobodyTakeAnotherUsersClientId() {
        Guest alice = secured.connected("taken", "alice");
        assertThat(suback(alice, "chat/bob")).isZero();
        assertThat(secured.guest("taken", "bob", "wrong").connack()).isEqualTo(0x86);
        assertThat(secured.guest("taken", "bob", "secret").connack()).isEqualTo(0x87);
        assertThat(secured.refused("connect", "takeover")).isPositive();
        try (Guest bob = secured.connected("other", "bob")) {
            bob.mqtt.publish(message("chat/bob", MqttQos.AT_LEAST_ONCE, "still there?"));
        }
        await().untilAsserted(() -> assertThat(alice.received).hasSize(1));
        Guest again = secured.connected("taken", "alice");
        assertThat(disconnect(alice)).isEqualTo(0x8E);
        again.close();
        await().untilAsserted(() ->
                assertThat(secured.guest("taken", "bob", "secret").connack()).isZero());
    }

    @Test
    void shouldKeepAClientIdForItsUserOnAllEdges() {
        Edge another = secured.another("another");
        Guest alice = secured.connected("everywhere", "alice");
        assertThat(suback(alice, "chat/bob")).isZero();
        await().until(() ->
                !secured.stack.table(secured.stack.topics.sessions()).isEmpty());

        Guest bob = secured.guest(another, "everywhere", "bob");
        assertThat(bob.connack()).isZero();
        assertThat(disconnect(bob)).isEqualTo(0x87);
        assertThat(secured.refused("connection", "takeover")).isEqualTo(1);
        try (Guest speaker = secured.connected("speaker", "bob")) {
            speaker.mqtt.publish(message("chat/bob", MqttQos.AT_LEAST_ONCE, "undisturbed"));
        }
        await().untilAsserted(() -> assertThat(alice.received).hasSize(1));

        Guest again = secured.guest(another, "everywhere", "alice");
        assertThat(again.connack()).isZero();
        assertThat(disconnect(alice)).isEqualTo(0x8E);
        assertThat(secured.guest(another, "everywhere", "bob").connack()).isEqualTo(0x87);
        again.close();
    }

    @Test
    void shouldKeepASessionForItsUserWhileNobodyIsConnected() {
        Guest alice = secured.guest("session", "alice", "secret");
        alice.mqtt.connectWith().sessionExpiryInterval(60).send();
        alice.mqtt.disconnect();
        assertThat(secured.guest("session", "bob", "secret").connack()).isEqualTo(0x87);
        Guest again = secured.guest("session", "alice", "secret");
        assertThat(again.mqtt
                        .connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(0)
                        .send()
                        .isSessionPresent())
                .isTrue();
        again.close();
    }

    @Test
    void shouldGrantPublishingByTopicEntityAndCategory() {
        double denied = secured.refused("publish", "not_authorized");
        try (Guest alice = secured.connected("p1", "alice");
                Guest works = secured.connected("p2", "works")) {
            MqttQos qos = MqttQos.AT_LEAST_ONCE;
            assertThat(puback(alice, message("traffic/alice/a", qos, "x", "entity", "vehicle/alice")))
                    .isZero();
            assertThat(puback(alice, message("traffic/alice/a", qos, "x", "entity", "vehicle/bob")))
                    .isEqualTo(0x87);
            assertThat(puback(alice, message("traffic/bob/a", qos, "x", "entity", "vehicle/alice")))
                    .isEqualTo(0x87);
            assertThat(puback(alice, message("traffic/alice/a", qos, "x"))).isEqualTo(0x87);
            assertThat(puback(alice, message("chat/alice", qos, "x", "entity", "vehicle/alice")))
                    .isEqualTo(0x87);
            assertThat(puback(works, message("works/a", qos, "x", "entity", "road/1")))
                    .isZero();
            assertThat(puback(works, message("works/a", qos, "x", "entity", "house/1")))
                    .isEqualTo(0x87);
            assertThat(puback(works, message("works/a", qos, "x", "entity", "unheard-of")))
                    .isEqualTo(0x87);
            assertThat(secured.refused("publish", "not_authorized")).isEqualTo(denied + 6);

            alice.mqtt.publish(message("chat/bob", MqttQos.AT_MOST_ONCE, "x"));
            await().until(() -> secured.refused("publish", "not_authorized") == denied + 7);
            assertThat(alice.mqtt.getState().isConnected()).isTrue();
            var unused = alice.async.publish(message("chat/bob", MqttQos.EXACTLY_ONCE, "x"));
            assertThat(disconnect(alice)).isEqualTo(0x87);
        }
    }

    @Test
    void shouldGrantPublishingByNeighborhood() {
        MqttQos qos = MqttQos.AT_LEAST_ONCE;
        try (Guest works = secured.connected("z1", "works")) {
            await().untilAsserted(() -> assertThat(puback(works, message("zone/a", qos, "x", "entity", "road/7")))
                    .isZero());
            assertThat(puback(works, message("zone/a", qos, "x", "entity", "road/8")))
                    .isZero();
            assertThat(puback(works, message("zone/a", qos, "x", "entity", "road/1")))
                    .isEqualTo(0x87);
            assertThat(puback(works, message("zone/a", qos, "x"))).isEqualTo(0x87);
        }
        assertThat(secured.pipeline.interests())
                .as("asked for by the edge itself, once")
                .filteredOn(i -> i.topicFilter().value().equals("$hereabouts/access"))
                .hasSize(1);
    }

    @Test
    void shouldGrantSubscribingByTopicAndNeighborhood() {
        double denied = secured.refused("subscribe", "not_authorized");
        String parking = descriptor("zone/18").replace("detector", "parking/lot");
        try (Guest watcher = secured.connected("w1", "watcher")) {
            assertThat(suback(watcher, "traffic/#", "neighborhood", SecuredStack.ZONE))
                    .isZero();
            assertThat(suback(watcher, "parking/#", "neighborhood", parking)).isZero();
            assertThat(suback(watcher, "chat/+")).isZero();
            assertThat(suback(watcher, "$share/g/chat/+")).isZero();
            assertThat(suback(watcher, "$hereabouts/neighborhoods/#")).isZero();

            assertThat(suback(watcher, "traffic/#")).isEqualTo(0x87);
            assertThat(suback(watcher, "traffic/#", "neighborhood", descriptor("zone/18")))
                    .isEqualTo(0x87);
            assertThat(suback(watcher, "parking/#", "neighborhood", SecuredStack.ZONE))
                    .isEqualTo(0x87);
            assertThat(suback(watcher, "#", "neighborhood", SecuredStack.ZONE)).isEqualTo(0x87);
            assertThat(suback(watcher, "chat/#")).isEqualTo(0x87);
            assertThat(suback(watcher, "$share/g/traffic/#")).isEqualTo(0x87);
            assertThat(suback(watcher, "#")).isEqualTo(0x87);
            assertThat(secured.refused("subscribe", "not_authorized")).isEqualTo(denied + 7);

            Mqtt5SubAck mixed = catchThrowableOfType(Mqtt5SubAckException.class, () -> watcher.mqtt
                            .subscribeWith()
                            .addSubscription()
                            .topicFilter("chat/x")
                            .applySubscription()
                            .addSubscription()
                            .topicFilter("private")
                            .applySubscription()
                            .send())
                    .getMqttMessage();
            assertThat(mixed.getReasonCodes())
                    .extracting(code -> code.getCode())
                    .containsExactly(2, 0x87);
            assertThat(mixed.getReasonString().orElseThrow().toString())
                    .contains("not authorized to subscribe to private without a neighborhood");
        }
    }

    @Test
    void shouldLetNoClientIdWidenAGrant() {
        for (String id : List.of("#", "+", "a/b", "own/#")) {
            try (Guest alice = secured.connected(id, "alice")) {
                assertThat(suback(alice, "own/" + id)).as(id).isEqualTo(0x87);
                assertThat(suback(alice, "own/x")).as(id).isEqualTo(0x87);
            }
        }
        try (Guest alice = secured.connected("mine", "alice")) {
            assertThat(suback(alice, "own/mine")).isZero();
        }
    }

    @Test
    void shouldGrantWillsAboutEntitiesAtConnect() {
        String topic = "traffic/alice/will";
        for (String[] will : new String[][] {{topic, "vehicle/bob"}, {"traffic/bob/will", "vehicle/alice"}}) {
            Guest denied = secured.guest("will", "alice", "secret");
            Mqtt5ConnAckException refusal = catchThrowableOfType(Mqtt5ConnAckException.class, () -> denied.mqtt
                    .connectWith()
                    .willPublish(message(will[0], MqttQos.AT_LEAST_ONCE, "denied", "entity", will[1]))
                    .send());
            assertThat(refusal.getMqttMessage().getReasonCode().getCode()).isEqualTo(0x87);
            assertThat(refusal.getMqttMessage().getReasonString().orElseThrow().toString())
                    .contains("will to " + will[0] + " about " + will[1]);
        }
        Guest granted = secured.guest("will", "alice", "secret");
        granted.mqtt
                .connectWith()
                .willPublish(message(topic, MqttQos.AT_LEAST_ONCE, "granted", "entity", "vehicle/alice"))
                .send();
        assertThat(secured.stack.table(secured.stack.topics.wills())).hasSize(1);
        granted.mqtt
                .disconnectWith()
                .reasonCode(
                        com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode
                                .DISCONNECT_WITH_WILL_MESSAGE)
                .send();
        await().until(() -> secured.stack.table(secured.stack.topics.wills()).isEmpty());
        assertThat(secured.stack.records(secured.stack.topics.publications()).stream()
                        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                        .filter(text -> text.contains(topic) || text.contains("denied")))
                .singleElement()
                .asString()
                .contains("granted");
    }

    @Test
    void shouldGrantWillsAtConnect() {
        Guest denied = secured.guest("will", "alice", "secret");
        Mqtt5ConnAckException refusal = catchThrowableOfType(Mqtt5ConnAckException.class, () -> denied.mqtt
                .connectWith()
                .willPublish()
                .topic("chat/bob")
                .applyWillPublish()
                .send());
        assertThat(refusal.getMqttMessage().getReasonCode().getCode()).isEqualTo(0x87);
        assertThat(refusal.getMqttMessage().getReasonString().orElseThrow().toString())
                .contains("will to chat/bob");
        assertThat(secured.refused("connect", "will_not_authorized")).isPositive();
        try (Guest watcher = secured.connected("w2", "watcher")) {
            assertThat(suback(watcher, "chat/+")).isZero();
            Guest granted = secured.guest("will", "alice", "secret");
            granted.mqtt
                    .connectWith()
                    .willPublish()
                    .topic("chat/alice")
                    .payload("gone".getBytes(StandardCharsets.UTF_8))
                    .applyWillPublish()
                    .send();
            granted.mqtt
                    .disconnectWith()
                    .reasonCode(
                            com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode
                                    .DISCONNECT_WITH_WILL_MESSAGE)
                    .send();
            await().untilAsserted(() -> assertThat(watcher.received.stream().map(EdgeStack::payload))
                    .contains("gone"));
        }
    }

    @Test
    void shouldFollowTheFile() {
        String first = secured.text();
        try (Guest alice = secured.connected("f1", "alice");
                Guest bob = secured.connected("f2", "bob");
                Guest watcher = secured.connected("f3", "watcher")) {
            Guest offline = secured.guest("f4", "watcher", "secret");
            offline.mqtt.connectWith().sessionExpiryInterval(600).send();
            assertThat(suback(offline, "chat/+")).isZero();
            offline.mqtt.disconnect();

            secured.replace(first.replace("roles: [all]}", "roles: [everything]}"));
            await().until(() -> secured.stack.count("hereabouts.edge.security.reloads", "outcome", "refused") == 1);
            assertThat(secured.guest("f5", "root", "secret").connack())
                    .as("what it said before holds")
                    .isZero();
            assertThat(alice.mqtt.getState().isConnected()).isTrue();

            String hashOfNow = first.replaceAll("(?m)^  bob:.*\n", "").replace("topics: chat/+", "topics: chat/x");
            secured.replace(hashOfNow);
            assertThat(disconnect(bob)).isEqualTo(0x87);
            assertThat(disconnect(watcher)).isIn(0x87, 0x98);
            assertThat(secured.guest("f2", "bob", "secret").connack()).isEqualTo(0x86);
            Guest again = secured.guest("f4", "watcher", "secret");
            assertThat(again.mqtt.connectWith().cleanStart(false).send().isSessionPresent())
                    .as("what was granted by other rights")
                    .isFalse();
            assertThat(suback(again, "chat/x")).isZero();
            again.close();
        } finally {
            double before = secured.stack.count("hereabouts.edge.security.reloads", "outcome", "applied");
            secured.replace(first);
            await().until(() -> secured.stack.count("hereabouts.edge.security.reloads", "outcome", "applied") > before);
        }
    }

    @Test
    void shouldServeMosquittoByTlsAndToken() throws Exception {
        String token = secured.issuer.token("dora", Instant.now().plusSeconds(60), "driver");
        Path certificate = new TestKeys(secured.folder).pem(secured.server);
        List<String> ours = List.of(
                "mosquitto_pub",
                "-V",
                "5",
                "-h",
                "localhost",
                "-p",
                String.valueOf(secured.port(MqttListener.TLS)),
                "--cafile",
                certificate.toString(),
                "-q",
                "1",
                "-m",
                "hello",
                "-u",
                "dora");
        try (Guest watcher = secured.connected("w3", "watcher")) {
            assertThat(suback(watcher, "chat/+")).isZero();
            assertThat(run(ours, "-P", token, "-t", "chat/dora")).isEmpty();
            assertThat(run(ours, "-P", token, "-t", "chat/alice")).contains("ot authorized");
            assertThat(run(ours, "-P", token + "x", "-t", "chat/dora")).contains("assword");
            await().untilAsserted(() -> assertThat(watcher.received.stream().map(EdgeStack::payload))
                    .containsExactly("hello"));
        }
    }

    private static String run(List<String> command, String... more) throws Exception {
        Process process = new ProcessBuilder(
                        Stream.concat(command.stream(), Stream.of(more)).toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
