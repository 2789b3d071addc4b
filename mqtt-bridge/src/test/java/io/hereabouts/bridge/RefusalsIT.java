package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.bridge.ScriptedPipeline.Refusal;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.record.Framing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each refusal has a reason code and says why, and leaves nothing behind. */
class RefusalsIT {

    private static final String UNKNOWN_REFERENCE = descriptor("zone/unknown");
    private static final EdgeStack STACK = new EdgeStack();
    private static final Edge EDGE = start();

    private static Edge start() {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(STACK.kafka.producer("world"))) {
            producer.send(new ProducerRecord<>(
                            STACK.topics.entities(),
                            "known".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                            Framing.encode(new Entity(1L, List.of("detector"), null))))
                    .get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        ScriptedPipeline pipeline = STACK.pipeline();
        pipeline.refusals.put(
                neighborhood(UNKNOWN_REFERENCE),
                new Refusal(0x83, "$.stages[0].references[0]: no entity zone/unknown"));
        return STACK.edge("strict", b -> b.strictEntities(true)
                .limits(new EdgeConfig.Limits(
                        EdgeConfig.Limits.DEFAULT.publishTimeout(),
                        EdgeConfig.Limits.DEFAULT.subscribeTimeout(),
                        EdgeConfig.Limits.DEFAULT.retry(),
                        EdgeConfig.Limits.DEFAULT.heartbeat(),
                        EdgeConfig.Limits.DEFAULT.compare(),
                        100,
                        100,
                        1 << 20,
                        1 << 20,
                        1_000,
                        4 << 20,
                        100,
                        100,
                        0)));
    }

    @BeforeAll
    static void awaitReady() {
        assertThat(EDGE.port()).isPositive();
    }

    @AfterAll
    static void close() {
        STACK.close();
    }

    static Stream<Arguments> subscribes() {
        String good = descriptor("zone/1");
        String near = "{\"stages\":[{\"references\":[\"z\"],\"categories\":[\"c\"],\"where\":"
                + "{\"relation\":\"dwithin\",\"distance\":%s}}]}";
        return Stream.of(
                Arguments.of("malformed JSON", "a", 0x83, "malformed JSON", new String[] {"neighborhood", "{"}),
                Arguments.of("unknown relation", "a", 0x83, "$.stages[0].where", new String[] {
                    "neighborhood", good.replace("\"categories\"", "\"where\":{\"relation\":\"beside\"},\"categories\"")
                }),
                Arguments.of("distance -1", "a", 0x83, "distance", new String[] {"neighborhood", near.formatted("-1")}),
                Arguments.of("distance NaN", "a", 0x83, "$", new String[] {"neighborhood", near.formatted("NaN")}),
                Arguments.of("stage cycle", "a", 0x83, "$.stages[0].from", new String[] {
                    "neighborhood", "{\"stages\":[{\"from\":[0],\"categories\":[\"c\"]}]}"
                }),
                Arguments.of("empty categories", "a", 0x83, "categories", new String[] {
                    "neighborhood", "{\"stages\":[{\"references\":[\"z\"],\"categories\":[]}]}"
                }),
                Arguments.of("too large", "a", 0x83, "the limit is 32768", new String[] {
                    "neighborhood", good + " ".repeat(60_000)
                }),
                Arguments.of("second neighborhood", "a", 0x83, "found 2", new String[] {
                    "neighborhood", good, "neighborhood", good
                }),
                Arguments.of(
                        "id without neighborhood", "a", 0x83, "given without", new String[] {"neighborhood-id", "x"}),
                Arguments.of("second id", "a", 0x83, "found 2", new String[] {
                    "neighborhood", good, "neighborhood-id", "x", "neighborhood-id", "y"
                }),
                Arguments.of(
                        "too many levels",
                        "a" + "/+".repeat(TopicFilter.MAX_LEVELS),
                        0x8F,
                        "901 levels, the limit is 900",
                        new String[0]),
                Arguments.of(
                        "too many levels with neighborhood",
                        "a" + "/a".repeat(10_000),
                        0x8F,
                        "10001 levels, the limit is 900",
                        new String[] {"neighborhood", good}),
                Arguments.of("hidden topic", "$hereabouts/n/x/a", 0x8F, "internal", new String[0]),
                Arguments.of("shared hidden topic", "$share/g/$hereabouts/#", 0x8F, "internal", new String[0]),
                Arguments.of("unknown reference", "a", 0x83, "no entity zone/unknown", new String[] {
                    "neighborhood", UNKNOWN_REFERENCE
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subscribes")
    void shouldRefuseSubscribe(String name, String filter, int code, String reason, String[] properties) {
        Client client = STACK.client(EDGE, "subscriber");
        Map<String, String> interests = STACK.table(STACK.topics.interests());
        Map<String, String> rows = STACK.table(STACK.topics.subscriptions());

        Mqtt5SubAck suback = catchThrowableOfType(
                        Mqtt5SubAckException.class, () -> client.subscribe(filter, MqttQos.AT_LEAST_ONCE, properties))
                .getMqttMessage();

        assertThat(suback.getReasonCodes().get(0).getCode()).isEqualTo(code);
        assertThat(suback.getReasonString().orElseThrow().toString()).contains(reason);
        assertThat(client.mqtt.getState().isConnected()).isTrue();
        assertThat(EdgeStack.stored("subscriber")).isEmpty();
        await().untilAsserted(() -> {
            assertThat(STACK.table(STACK.topics.interests())).isEqualTo(interests);
            assertThat(STACK.table(STACK.topics.subscriptions())).isEqualTo(rows);
        });
        client.close();
    }

    /** HiveMQ joins the reasons of all topic filters, and sends nothing if that becomes too long. */
    @Test
    void shouldAnswerASubscribeOfManyFiltersThatAreAllRefused() {
        Client client = STACK.client(EDGE, "many");
        List<Mqtt5Subscription> filters = IntStream.range(0, 1_000)
                .mapToObj(i -> Mqtt5Subscription.builder().topicFilter("m/" + i).build())
                .toList();
        Mqtt5Subscribe subscribe = Mqtt5Subscribe.builder()
                .addSubscriptions(filters)
                .userProperties()
                .add("neighborhood", descriptor("zone/1").replace("{", "{\"" + "k".repeat(200) + "\":1,"))
                .applyUserProperties()
                .build();

        Mqtt5SubAck suback = catchThrowableOfType(Mqtt5SubAckException.class, () -> client.mqtt.subscribe(subscribe))
                .getMqttMessage();

        assertThat(suback.getReasonCodes()).hasSize(1_000).allMatch(code -> code.getCode() == 0x83);
        client.close();
    }

    static Stream<Arguments> publishes() {
        return Stream.of(
                Arguments.of(
                        "second entity", 0x83, "found 2", new String[] {"entity", "known", "entity", "known"}, "x"),
                Arguments.of("empty entity", 0x83, "empty", new String[] {"entity", ""}, "x"),
                Arguments.of("unknown entity", 0x83, "no entity other", new String[] {"entity", "other"}, "x"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("publishes")
    void shouldRefusePublishAndStayConnected(
            String name, int code, String reason, String[] properties, String payload) {
        Client client = STACK.client(EDGE, "publisher");
        int before = STACK.records(STACK.topics.publications()).size();
        Mqtt5PubAck puback = catchThrowableOfType(
                        Mqtt5PubAckException.class,
                        () -> client.publish("a", MqttQos.AT_LEAST_ONCE, payload, properties))
                .getMqttMessage();
        assertThat(puback.getReasonCode().getCode()).isEqualTo(code);
        assertThat(puback.getReasonString().orElseThrow().toString()).contains(reason);
        client.publish("a", MqttQos.AT_MOST_ONCE, payload, properties);
        client.publish("a", MqttQos.AT_LEAST_ONCE, "still here", "entity", "known");
        assertThat(STACK.records(STACK.topics.publications())).hasSize(before + 1);
        client.close();
    }

    static Stream<Arguments> disconnects() {
        return Stream.of(
                Arguments.of(
                        "QoS 2: never by PUBREC",
                        0x83,
                        "no entity other",
                        Client.message("a", MqttQos.EXACTLY_ONCE, "x", "entity", "other")),
                Arguments.of(
                        "retained without memory", 0x97, "edge.retained-bytes", retained(MqttQos.EXACTLY_ONCE, "x")),
                Arguments.of(
                        "too large",
                        0x95,
                        "1001 bytes",
                        Client.message("a", MqttQos.AT_LEAST_ONCE, "x".repeat(1_001), "entity", "known")),
                Arguments.of(
                        "too large with its user properties",
                        0x95,
                        "payload, topic and properties",
                        Client.message("a", MqttQos.AT_LEAST_ONCE, "x", properties(40))),
                Arguments.of(
                        "$ topic",
                        0x82,
                        "'$'",
                        Client.message("$hereabouts/n/x", MqttQos.AT_LEAST_ONCE, "x", "entity", "known")),
                Arguments.of(
                        "$ topic without entity",
                        0x82,
                        "'$'",
                        Client.message("$hereabouts/n/x", MqttQos.AT_LEAST_ONCE, "x")));
    }

    private static Mqtt5Publish retained(MqttQos qos, String payload) {
        return Client.message("a", qos, payload, "entity", "known")
                .extend()
                .retain(true)
                .build();
    }

    @Test
    void shouldRefuseToRetainWithoutMemoryButClear() {
        Client client = STACK.client(EDGE, "publisher");
        double dropped = STACK.count("hereabouts.edge.dropped", "reason", "refused", "qos", "0");
        int before = STACK.records(STACK.topics.publications()).size();
        Mqtt5PubAck puback = catchThrowableOfType(
                        Mqtt5PubAckException.class, () -> client.mqtt.publish(retained(MqttQos.AT_LEAST_ONCE, "x")))
                .getMqttMessage();
        assertThat(puback.getReasonCode().getCode()).isEqualTo(0x97);
        assertThat(puback.getReasonString().orElseThrow().toString()).contains("edge.retained-bytes");
        client.mqtt.publish(retained(MqttQos.AT_MOST_ONCE, "x"));
        client.mqtt.publish(retained(MqttQos.AT_LEAST_ONCE, ""));
        assertThat(STACK.records(STACK.topics.publications())).hasSize(before + 1);
        assertThat(STACK.count("hereabouts.edge.dropped", "reason", "refused", "qos", "0"))
                .isEqualTo(dropped + 1);
        assertThat(STACK.count("hereabouts.edge.refused", "packet", "publish", "reason", "retained_full"))
                .isGreaterThanOrEqualTo(2);
        client.close();
    }

    private static String[] properties(int large) {
        List<String> all = new ArrayList<>(List.of("entity", "known"));
        for (int i = 0; i < large; i++) {
            all.addAll(List.of("k" + i, "v".repeat(60_000)));
        }
        return all.toArray(new String[0]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("disconnects")
    void shouldDisconnectWhereOnlyThatCanSayWhy(String name, int code, String reason, Mqtt5Publish publish) {
        Client client = STACK.client(EDGE, "publisher");
        int before = STACK.records(STACK.topics.publications()).size();
        Throwable failure = catchThrowableOfType(Throwable.class, () -> client.mqtt.publish(publish));
        assertThat(failure).as("no success").isNotNull();
        Mqtt5Disconnect disconnect = client.disconnect();
        assertThat(disconnect.getReasonCode().getCode()).isEqualTo(code);
        assertThat(disconnect.getReasonString().orElseThrow().toString()).contains(reason);
        assertThat(STACK.records(STACK.topics.publications())).hasSize(before);
    }

    static Stream<Arguments> wills() {
        return Stream.of(
                Arguments.of("will_second_entity", 0x83, "expected one, found 2", "a", "x", false, new String[] {
                    "entity", "known", "entity", "known"
                }),
                Arguments.of("will_bad_entity", 0x83, "entity", "a", "x", false, new String[] {"entity", ""}),
                Arguments.of(
                        "will_unknown_entity", 0x83, "no entity other", "a", "x", false, new String[] {"entity", "other"
                        }),
                Arguments.of("will_too_large", 0x95, "1001 bytes", "a", "x".repeat(1_001), false, new String[] {
                    "entity", "known"
                }),
                Arguments.of("will_retained_full", 0x97, "edge.retained-bytes", "a", "x", true, new String[] {
                    "entity", "known"
                }),
                Arguments.of("will_on_dollar_topic", 0x90, "'$'", "$a", "x", false, new String[] {"entity", "known"}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wills")
    void shouldRefuseAWillThatWouldBeRefusedAsAPublish(
            String counted,
            int code,
            String reason,
            String topic,
            String payload,
            boolean retain,
            String[] properties) {
        double before = STACK.count("hereabouts.edge.refused", "packet", "connect", "reason", counted);
        Client client = new Client(EDGE, "mourner");
        Mqtt5ConnAckException refused = catchThrowableOfType(Mqtt5ConnAckException.class, () -> client.mqtt
                .connectWith()
                .willPublish(Client.message(topic, MqttQos.AT_LEAST_ONCE, payload, properties)
                        .extend()
                        .retain(retain)
                        .build())
                .send());
        assertThat(refused.getMqttMessage().getReasonCode().getCode()).isEqualTo(code);
        assertThat(refused.getMqttMessage().getReasonString().orElseThrow().toString())
                .contains("will")
                .contains(reason);
        assertThat(STACK.count("hereabouts.edge.refused", "packet", "connect", "reason", counted))
                .isEqualTo(before + 1);
        assertThat(STACK.table(STACK.topics.wills())).isEmpty();
    }

    @Test
    void shouldRefuseAWillOnATopicOfTheEdgesOwn() {
        Client client = new Client(EDGE, "forger");
        Mqtt5ConnAckException refused = catchThrowableOfType(Mqtt5ConnAckException.class, () -> client.mqtt
                .connectWith()
                .willPublish(Client.message("$hereabouts/neighborhoods/here", MqttQos.AT_LEAST_ONCE, "forged"))
                .send());
        assertThat(refused.getMqttMessage().getReasonCode().getCode()).isEqualTo(0x90);
        assertThat(refused.getMqttMessage().getReasonString().orElseThrow().toString())
                .contains("$hereabouts/");
    }

    /** HiveMQ notes packet ids of QoS 2, and answers those past the edge. */
    @Test
    void shouldTakeAPacketIdAnewInANewSession() throws Exception {
        int before = STACK.records(STACK.topics.publications()).size();
        byte[] outlives = {0x11, 0, 0, 0, 60};
        List<Integer> answers = new ArrayList<>();
        for (int session = 0; session < 3; session++) {
            try (RawMqtt client = new RawMqtt(EDGE.port(), "127.0.0.1")) {
                client.connect("anew".getBytes(StandardCharsets.UTF_8), "", "", outlives);
                assertThat(client.reason()).isZero();
                answers.add(client.publishQos2(1, "a", "known", "session " + session));
                // and is gone without PUBREL
            }
        }
        long pubrecs = answers.stream().filter(type -> type == 5).count();
        assertThat(STACK.records(STACK.topics.publications()))
                .as("answers of type %s: PUBREC (5) for what is in Kafka only", answers)
                .hasSize(before + (int) pubrecs);
        assertThat(pubrecs).as("answers of type %s, it goes on", answers).isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldNeverAnswerARefusedQos2WithSuccessWhenItIsSentAgain() {
        for (int attempt = 0; attempt < 2; attempt++) {
            Client client = new Client(EDGE, "stubborn");
            client.mqtt
                    .connectWith()
                    .cleanStart(false)
                    .sessionExpiryInterval(60)
                    .send();
            CompletableFuture<?> published =
                    client.async.publish(Client.message("a", MqttQos.EXACTLY_ONCE, "x", "entity", "other"));
            assertThat(client.disconnect().getReasonCode().getCode())
                    .as("attempt " + attempt)
                    .isEqualTo(0x83);
            assertThat(published.isDone() && !published.isCompletedExceptionally())
                    .as("no success")
                    .isFalse();
        }
    }
}
