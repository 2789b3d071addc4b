package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.Client.message;
import static io.hereabouts.bridge.EdgeStack.Client.subscribeMessage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import io.hereabouts.bridge.SecuredStack.Guest;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What clients must not be able to do to the edge and to each other; after each of them, others are served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileClientsIT {

    private static final byte[] NO_PROPERTIES = {};

    private SecuredStack secured;

    @BeforeAll
    void start(@TempDir Path folder) {
        secured = new SecuredStack(folder);
    }

    @AfterAll
    void stop() {
        secured.close();
    }

    private RawMqtt raw(String from) throws IOException {
        return new RawMqtt(secured.port(MqttListener.TCP), from);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void othersAreServed() {
        try (Guest alice = secured.connected("served", "alice")) {
            alice.mqtt.publish(message("chat/alice", MqttQos.AT_LEAST_ONCE, "x"));
        }
    }

    @Test
    void shouldServeOthersWhileOneAddressFloodsTheEdgeWithConnects() throws Exception {
        int connects = 400;
        ExecutorService threads = Executors.newFixedThreadPool(40);
        try {
            List<CompletableFuture<Integer>> flood = IntStream.range(0, connects)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                try (RawMqtt client = raw("127.0.0.2")) {
                                    client.connect(utf8("flood" + i), "alice", "guess" + i, NO_PROPERTIES);
                                    return client.reason();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            threads))
                    .toList();
            othersAreServed();
            List<Integer> codes = flood.stream().map(CompletableFuture::join).toList();
            assertThat(codes).contains(0x86).isSubsetOf(0x86, 0x89, 0x9F);
            long checked = codes.stream().filter(code -> code == 0x86).count();
            assertThat(checked).as("CONNECTs that cost something").isLessThan(connects / 2);
        } finally {
            threads.shutdownNow();
        }
        othersAreServed();
    }

    @Test
    void shouldLetNobodyDisturbAClientByItsId() throws Exception {
        try (Guest alice = secured.connected("victim", "alice")) {
            for (int i = 0; i < 20; i++) {
                try (RawMqtt client = raw("127.0.0.3")) {
                    client.connect(utf8("victim"), "alice", "guess" + i, NO_PROPERTIES);
                    assertThat(client.reason()).isEqualTo(0x86);
                }
            }
            alice.mqtt.publish(message("chat/alice", MqttQos.AT_LEAST_ONCE, "still here"));
            assertThat(alice.disconnectCause).isNull();
        }
    }

    @Test
    void shouldEndWhoAsksForNoLocalInAGroup() throws Exception {
        int noLocal = 0x04;
        byte[] neighborhood = RawMqtt.userProperties(
                1, "neighborhood", "{\"stages\":[{\"references\":[\"zone/1\"],\"categories\":[\"zone\"]}]}");
        for (byte[] properties : List.of(NO_PROPERTIES, neighborhood)) {
            try (RawMqtt client = raw("127.0.0.1")) {
                client.connect(utf8("no-local"), "alice", "secret", NO_PROPERTIES);
                assertThat(client.reason()).isZero();
                client.subscribe(properties, "$share/g/chat/alice", noLocal);
                assertThat(client.reason())
                        .as("protocol error (MQTT 5.0 §3.8.3.1)")
                        .isEqualTo(0x82);
            }
        }
        othersAreServed();
    }

    @Test
    void shouldRefuseAClientIdThatMqttDoesNotAllow() throws Exception {
        for (byte[] id : List.of(
                new byte[] {'a', 0, 'b'}, new byte[] {(byte) 0xFF}, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80
                })) {
            try (RawMqtt client = raw("127.0.0.1")) {
                client.connect(id, "alice", "secret", NO_PROPERTIES);
                assertThat(client.reason()).isNotZero();
            }
        }
        othersAreServed();
    }

    @Test
    void shouldServeAnyClientIdThatMqttAllows() throws Exception {
        for (String id : List.of("a/b", "#", "+/x", "|", "$hereabouts/n/x", "x".repeat(65_535), "😀'\"\\ %s{}")) {
            try (Guest alice = secured.connected(id, "alice")) {
                alice.mqtt.subscribe(subscribeMessage("chat/x", MqttQos.AT_LEAST_ONCE));
                alice.mqtt.publish(message("traffic/alice/x", MqttQos.AT_LEAST_ONCE, "x", "entity", "vehicle/alice"));
                assertThat(secured.stack.records(secured.stack.topics.publications()))
                        .as("the publication of %.20s", id)
                        .anySatisfy(record -> assertThat(Framing.decode(record.value(), Publication.class)
                                        .getPublisher())
                                .isEqualTo(id));
            }
        }
    }

    @Test
    void shouldRefuseABombOfUserProperties() throws Exception {
        try (RawMqtt client = raw("127.0.0.1")) {
            client.connect(utf8("bomb"), "alice", "secret", RawMqtt.userProperties(700_000, "", ""));
            assertThat(client.reason()).isNotZero();
        }
        try (RawMqtt client = raw("127.0.0.1")) {
            client.connect(utf8("bomb"), "alice", "secret", RawMqtt.userProperties(80, "a", "x".repeat(65_000)));
            assertThat(client.reason()).isNotZero();
        }
        try (RawMqtt client = raw("127.0.0.1")) {
            client.connect(utf8("bomb"), "alice", "secret", NO_PROPERTIES);
            assertThat(client.reason()).isZero();
            // a PUBLISH beyond mqtt.max-packet
            client.send(0x30, new byte[5 << 20]);
            assertThat(client.reason()).isIn(0x95, -1);
        }
        othersAreServed();
    }

    @Test
    void shouldSurviveManyBombsOfUserPropertiesAtOnce() throws Exception {
        byte[] bomb = RawMqtt.userProperties(400_000, "", "");
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try {
            List<CompletableFuture<Integer>> bombs = IntStream.range(0, 20)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> {
                                try (RawMqtt client = raw("127.0.0.4")) {
                                    client.connect(utf8("bomb" + i), "alice", "guess", bomb);
                                    return client.reason();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            threads))
                    .toList();
            assertThat(bombs.stream().map(CompletableFuture::join)).allMatch(code -> code != 0);
        } finally {
            threads.shutdownNow();
        }
        othersAreServed();
    }

    @Test
    void shouldRefuseABombOfADescriptor() {
        String references =
                "{\"stages\":[{\"references\":[" + "\"r\",".repeat(16_000) + "\"r\"],\"categories\":[\"c\"]}]}";
        String deep =
                "{\"stages\":[{\"references\":[\"r\"],\"categories\":[\"c\"],\"where\":" + "{\"not\":".repeat(9_000);
        String wkt = "{\"stages\":[{\"references\":[{\"wkt\":\"" + "GEOMETRYCOLLECTION(".repeat(3_000)
                + "\"}],\"categories\":[\"c\"]}]}";
        String line = "{\"stages\":[{\"references\":[{\"wkt\":\"LINESTRING(" + "1 1,".repeat(15_000)
                + "1 1)\"}],\"categories\":[\"c\"]}]}";
        try (Guest root = secured.connected("descriptors", "root")) {
            for (String bomb : List.of(references, deep, wkt, line, "[".repeat(65_000))) {
                Mqtt5SubAckException refused = catchThrowableOfType(
                        Mqtt5SubAckException.class,
                        () -> root.mqtt.subscribe(subscribeMessage("a", MqttQos.AT_LEAST_ONCE, "neighborhood", bomb)));
                assertThat(refused.getMqttMessage().getReasonCodes().get(0).getCode())
                        .as("%.60s", bomb)
                        .isEqualTo(0x83);
            }
        }
        othersAreServed();
    }

    @Test
    void shouldGrantNothingBesideAMalformedTopicFilter() throws Exception {
        for (String malformed : List.of("$share/g", "$share/g/", "$share//a", "a/#/b", "a+", "$share")) {
            try (RawMqtt client = raw("127.0.0.1")) {
                client.connect(utf8("malformed"), "watcher", "secret", NO_PROPERTIES);
                assertThat(client.reason()).isZero();
                client.subscribe(malformed, "traffic/#");
                assertThat(client.granted(2)).as(malformed).allMatch(code -> code >= 0x80);
            }
        }
    }

    @Test
    void shouldNotBeAskedByAnotherMethod() {
        Guest guest = secured.guest("method", null, null);
        Mqtt5ConnAckException refused = catchThrowableOfType(
                Mqtt5ConnAckException.class,
                () -> guest.mqtt.connectWith().enhancedAuth(new NoProof()).send());
        assertThat(refused.getMqttMessage().getReasonCode().isError()).isTrue();
    }
}
