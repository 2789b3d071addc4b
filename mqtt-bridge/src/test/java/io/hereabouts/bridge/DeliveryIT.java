package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static io.hereabouts.bridge.EdgeStack.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class DeliveryIT {

    private static final String ZONE = descriptor("zone/1");
    private static final NeighborhoodId N = neighborhood(ZONE);
    private static final EdgeId E = EdgeId.of("e");
    private static final MqttQos QOS_1 = MqttQos.AT_LEAST_ONCE;

    private final EdgeStack stack = new EdgeStack();
    private final ScriptedPipeline pipeline = stack.pipeline();

    @AfterEach
    void close() {
        stack.close();
    }

    private Edge edge(int window, long pendingBytes) {
        return edge(window, pendingBytes, false);
    }

    private Edge edge(int window, long pendingBytes, boolean disconnectSlow) {
        EdgeConfig.Limits d = EdgeConfig.Limits.DEFAULT;
        return stack.edge("e", b -> b.disconnectSlow(disconnectSlow)
                .limits(new EdgeConfig.Limits(
                        d.publishTimeout(),
                        d.subscribeTimeout(),
                        Duration.ofMillis(300),
                        d.heartbeat(),
                        d.compare(),
                        window,
                        d.queue(),
                        pendingBytes,
                        d.qos0Bytes(),
                        d.maxPayloadBytes(),
                        4 << 20,
                        d.receiveMaximum(),
                        d.plainQueue(),
                        d.retainedBytes())));
    }

    @Test
    void shouldDropRepeatsAndWhatADeposedOwnerSends() {
        pipeline.define(N, "x");
        Client client = stack.client(edge(100, 1 << 20), "c");
        client.subscribe("t", QOS_1, "neighborhood", ZONE);
        pipeline.route = false;
        client.publish("t", QOS_1, "one", "entity", "x");
        client.publish("t", QOS_1, "two", "entity", "x");
        List<ConsumerRecord<byte[], byte[]>> published = stack.records(stack.topics.publications());
        ConsumerRecord<byte[], byte[]> one = published.get(0);
        ConsumerRecord<byte[], byte[]> two = published.get(1);
        List<Long> matched = List.of(N.handle());

        pipeline.deliver(E, "x", one, 1_000, one.offset(), matched);
        pipeline.deliver(E, "x", one, 1_000, one.offset(), matched);
        pipeline.deliver(E, "x", two, 999, two.offset(), List.of());
        pipeline.deliver(E, "x", two, 1_000, two.offset(), matched);

        await().untilAsserted(() -> assertThat(client.payloads()).containsExactly("one", "two"));
        assertThat(stack.count("hereabouts.edge.repeats")).isEqualTo(1);
        assertThat(stack.count("hereabouts.edge.ignored", "reason", "deposed_owner"))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "in HiveMQ''s pipeline: {0}")
    @ValueSource(booleans = {true, false})
    void shouldDeliverAtTheLowerOfBothQualitiesOfService(boolean inPipeline) {
        pipeline.define(N, "x");
        Edge edge = stack.edge("e", b -> b.deliverInPipeline(inPipeline));
        for (MqttQos granted : MqttQos.values()) {
            Client client = stack.client(edge, "granted-" + granted.getCode());
            assertThat(client.subscribe("t", granted, "neighborhood", ZONE).getReasonCodes())
                    .extracting(code -> code.getCode())
                    .containsExactly(granted.getCode());
            for (MqttQos published : MqttQos.values()) {
                client.publish("t", published, "at " + published.getCode(), "entity", "x");
            }
            await().untilAsserted(
                            () -> assertThat(client.payloads()).containsExactlyInAnyOrder("at 0", "at 1", "at 2"));
            assertThat(client.received).allSatisfy(message -> assertThat(EdgeStack.payload(message))
                    .satisfies(payload -> assertThat(message.getQos().getCode())
                            .isEqualTo(Math.min(granted.getCode(), payload.charAt(3) - '0'))));
            client.close();
        }
        await().untilAsserted(() -> {
            assertThat(stack.count("hereabouts.edge.published", "qos", "2")).isEqualTo(3);
            assertThat(stack.count("hereabouts.edge.delivered", "qos", "2")).isEqualTo(1);
        });
    }

    @Test
    void shouldBoundWhatAReaderThatStallsHasPendingAndCountTheRest() {
        pipeline.define(N, "x");
        Edge edge = edge(10, 20_000);
        List<Mqtt5Publish> unacknowledged = new CopyOnWriteArrayList<>();
        Mqtt5AsyncClient reader = MqttClient.builder()
                .useMqttVersion5()
                .identifier("reader")
                .serverHost("localhost")
                .serverPort(edge.port())
                .buildAsync();
        reader.publishes(MqttGlobalPublishFilter.ALL, unacknowledged::add, Runnable::run, true);
        reader.connect().join();
        reader.subscribe(Client.subscribeMessage("t", QOS_1, "neighborhood", ZONE))
                .join();
        Client publisher = stack.client(edge, "p");
        List<CompletableFuture<?>> acks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            acks.add(publisher.async.publish(Client.message("t", QOS_1, "m" + i, "entity", "x")));
        }
        acks.forEach(CompletableFuture::join);
        await().until(() -> stack.count("hereabouts.edge.dropped", "reason", "client_queue_full", "qos", "1") > 0);
        assertThat(unacknowledged).as("HiveMQ sends no further batch").hasSizeBetween(1, 10);

        await().untilAsserted(() -> {
            while (!unacknowledged.isEmpty()) {
                unacknowledged.remove(0).acknowledge();
            }
            assertThat(stack.count("hereabouts.edge.delivered", "qos", "1")
                            + stack.count("hereabouts.edge.dropped", "qos", "1"))
                    .isEqualTo(200);
        });
        assertThat(stack.count("hereabouts.edge.delivered", "qos", "1")).isGreaterThan(10);
        reader.disconnect().join();
    }

    @Test
    void shouldDisconnectAReaderThatStallsIfToldToAndKeepItsSession() {
        pipeline.define(N, "x");
        Edge edge = edge(10, 20_000, true);
        AtomicReference<Throwable> end = new AtomicReference<>();
        Mqtt5AsyncClient reader = MqttClient.builder()
                .useMqttVersion5()
                .identifier("reader")
                .serverHost("localhost")
                .serverPort(edge.port())
                .addDisconnectedListener(context -> end.set(context.getCause()))
                .buildAsync();
        List<Mqtt5Publish> received = new CopyOnWriteArrayList<>();
        reader.publishes(MqttGlobalPublishFilter.ALL, received::add, Runnable::run, true);
        reader.connectWith().sessionExpiryInterval(60).send().join();
        reader.subscribe(Client.subscribeMessage("t", QOS_1, "neighborhood", ZONE))
                .join();
        Client publisher = stack.client(edge, "p");
        for (int i = 0; i < 200; i++) {
            publisher.publish("t", QOS_1, "m" + i, "entity", "x");
        }

        await().untilAsserted(() -> assertThat(end.get())
                .isInstanceOfSatisfying(Mqtt5DisconnectException.class, e -> assertThat(
                                e.getMqttMessage().getReasonCode())
                        .isEqualTo(Mqtt5DisconnectReasonCode.QUOTA_EXCEEDED)));
        assertThat(stack.count("hereabouts.edge.refused", "packet", "connection", "reason", "slow"))
                .isEqualTo(1);
        assertThat(publisher.mqtt.getState().isConnected()).isTrue();
        Client again = new Client(edge, "reader");
        assertThat(again.mqtt.connectWith().cleanStart(false).send().isSessionPresent())
                .isTrue();
        await().untilAsserted(() -> assertThat(again.payloads()).contains("m0", "m9"));
        again.mqtt.disconnect();
    }

    @Test
    void shouldKeepTwoEdgesOfOneJvmApart() {
        pipeline.define(N, "x");
        Edge first = stack.edge("first");
        Edge second = stack.edge("second");
        Client at1 = stack.client(first, "one");
        Client at2 = stack.client(second, "two");
        at1.subscribe("t", QOS_1, "neighborhood", ZONE);
        at2.subscribe("t", QOS_1, "neighborhood", ZONE);
        at2.publish("t", QOS_1, "both", "entity", "x");
        await().untilAsserted(() -> assertThat(at1.payloads()).containsExactly("both"));
        await().untilAsserted(() -> assertThat(at2.payloads()).containsExactly("both"));
        at2.close();
        second.close();
        assertThat(stack.table(stack.topics.edges())).containsOnlyKeys("first");
        at1.publish("t", QOS_1, "alone", "entity", "x");
        await().untilAsserted(() -> assertThat(at1.payloads()).containsExactly("both", "alone"));
        at1.mqtt.unsubscribeWith().topicFilter("t").send();
        at1.subscribe("t", QOS_1, "neighborhood", ZONE);
    }

    @ParameterizedTest(name = "in HiveMQ''s pipeline: {0}")
    @ValueSource(booleans = {true, false})
    void shouldStripReservedPropertiesAndPassTheOthersInOrder(boolean inPipeline) {
        Client client = stack.client(stack.edge("e", b -> b.deliverInPipeline(inPipeline)), "c");
        client.subscribe("t", QOS_1);
        await().until(() -> pipeline.interests().size() == 1);
        String[] forged = {
            "k", "1", "neighborhood-id", "forged", "publication-id", "forged", "$hereabouts", "1;1", "k", "2", "k", "1"
        };
        client.publish("t", QOS_1, "plain", forged);
        List<String> spatial = new ArrayList<>(List.of(forged));
        spatial.addAll(List.of("entity", "x"));
        client.publish("t", QOS_1, "spatial", spatial.toArray(String[]::new));
        await().untilAsserted(() -> assertThat(client.received).hasSize(2));
        for (Mqtt5Publish publish : client.received) {
            assertThat(property(publish, "k")).containsExactly("1", "2", "1");
            assertThat(property(publish, "neighborhood-id")).isEmpty();
            assertThat(property(publish, "publication-id")).doesNotContain("forged");
            assertThat(property(publish, "$hereabouts")).isEmpty();
        }
        assertThat(stack.count("hereabouts.edge.stripped")).isEqualTo(6);
    }

    @Test
    void shouldFindTheWayIntoThePipelineOfThisHivemq() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.hereabouts.bridge.hivemq");
        log.start();
        logger.addAppender(log);
        try {
            stack.client(edge(100, 1 << 20), "c").subscribe("t", QOS_1);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getLoggerName)
                .as("who says that only interceptors are left")
                .doesNotContain("io.hereabouts.bridge.hivemq.Gates");
    }

    @Test
    void shouldKeepTheOrderOfAnEntityThroughPipelinedPublishes() {
        pipeline.define(N, "x");
        Edge edge = edge(1_000, 1 << 20);
        Client client = stack.client(edge, "c");
        client.subscribe("t", QOS_1, "neighborhood", ZONE);
        List<String> expected = new ArrayList<>();
        List<CompletableFuture<?>> acks = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            expected.add("m" + i);
            acks.add(client.async.publish(Client.message("t", QOS_1, "m" + i, "entity", "x")));
        }
        acks.forEach(CompletableFuture::join);
        await().untilAsserted(() -> assertThat(client.received).hasSize(300));
        assertThat(client.payloads()).isEqualTo(expected);
    }
}
