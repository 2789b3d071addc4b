package io.hereabouts.bridge;

import static io.hereabouts.bridge.EdgeStack.descriptor;
import static io.hereabouts.bridge.EdgeStack.neighborhood;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.extension.sdk.api.services.Services;
import io.hereabouts.bridge.EdgeStack.Client;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.avro.Subscription;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of an edge that keeps them, when it is started again, and what crashes leave of them. */
class SessionRestartIT {

    private static final String ONE = descriptor("zone/1");
    private static final NeighborhoodId N1 = neighborhood(ONE);
    private static final MqttQos QOS_1 = MqttQos.AT_LEAST_ONCE;
    private static final MqttQos QOS_2 = MqttQos.EXACTLY_ONCE;

    @TempDir
    Path folder;

    private final EdgeStack stack = new EdgeStack();
    private final ScriptedPipeline pipeline = stack.pipeline();

    @BeforeEach
    void define() {
        pipeline.define(N1, "a1", "a2");
    }

    @AfterEach
    void close() {
        stack.close();
    }

    private Edge keeping() {
        EdgeConfig.Limits d = EdgeConfig.Limits.DEFAULT;
        return stack.edge("e", b -> b.sessions(Optional.of(folder.resolve("mqtt")))
                .limits(new EdgeConfig.Limits(
                        d.publishTimeout(),
                        d.subscribeTimeout(),
                        d.retry(),
                        d.heartbeat(),
                        Duration.ofSeconds(1),
                        d.window(),
                        d.queue(),
                        d.pendingBytes(),
                        d.qos0Bytes(),
                        d.maxPayloadBytes(),
                        d.maxPacket(),
                        d.receiveMaximum(),
                        d.plainQueue(),
                        d.retainedBytes())));
    }

    private static Client resume(Edge edge, String id) {
        Client client = new Client(edge, id);
        assertThat(client.mqtt
                        .connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(3_600)
                        .send()
                        .isSessionPresent())
                .as("session of " + id)
                .isTrue();
        return client;
    }

    private static Client sleeper(Edge edge, String id) {
        Client client = new Client(edge, id);
        client.mqtt.connectWith().sessionExpiryInterval(3_600).send();
        return client;
    }

    @Test
    void shouldDeliverInOrderWhatCameWhileTheEdgeWasDown() {
        Edge first = keeping();
        Client sleeper = sleeper(first, "sleeper");
        sleeper.subscribe("t", QOS_2, "neighborhood", ONE, "neighborhood-id", "here");
        sleeper.subscribe("p/+", QOS_1);
        sleeper.subscribe("$hereabouts/neighborhoods/#", QOS_1);
        sleeper.mqtt.disconnect();
        Client publisher = stack.client(stack.edge("other"), "p");
        publish(publisher, 0, 300);
        await().untilAsserted(() -> assertThat(reached()).isEqualTo(300));
        first.close();
        assertThat(stack.table(stack.topics.subscriptions())).hasSize(2);
        publish(publisher, 300, 600);

        Edge second = keeping();
        Client again = resume(second, "sleeper");
        await().until(() -> numbers(again).size() >= 600);
        publish(publisher, 600, 610);
        publisher.publish("p/x", QOS_1, "plain", "entity", "nobody knows it");
        await().until(() -> again.payloads().contains("plain") && numbers(again).size() >= 610);

        assertThat(numbers(again).stream().filter(n -> n % 2 == 0))
                .as("QoS 1")
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(numbers(again))
                .as("all, none twice")
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 610).boxed().toList());
        assertThat(stack.count("hereabouts.edge.repaired", "kind", "untold")).isEqualTo(1);
        again.mqtt.unsubscribeWith().topicFilter("t").send();
        await().untilAsserted(() ->
                assertThat(stack.table(stack.topics.subscriptions())).hasSize(1));
        again.mqtt.disconnectWith().sessionExpiryInterval(0).send();
        await().untilAsserted(() ->
                assertThat(stack.table(stack.topics.subscriptions())).isEmpty());
        await().untilAsserted(
                        () -> assertThat(stack.table(stack.topics.interests())).isEmpty());
    }

    @Test
    void shouldRepairWhatCrashesLeft() {
        Edge first = keeping();
        Client sleeper = sleeper(first, "sleeper");
        sleeper.subscribe("t", QOS_1, "neighborhood", ONE);
        Client forgotten = sleeper(first, "forgotten");
        forgotten.subscribe("u", QOS_1, "neighborhood", ONE);
        Client goes = new Client(first, "goes");
        goes.mqtt.connect();
        goes.subscribe("v", QOS_1, "neighborhood", ONE);
        first.close();
        assertThat(stack.table(stack.topics.subscriptions()))
                .as("a session with Session Expiry 0 ends with its edge")
                .hasSize(2);
        EdgeId e = EdgeId.of("e");
        write(
                stack.topics.subscriptions(),
                Keys.subscription(e, "ghost", "t", "n"),
                Framing.encode(new Subscription("e", "ghost", "t", "n", N1.value(), ONE, 1, false, false, 0, null)));
        write(stack.topics.subscriptions(), Keys.subscription(e, "forgotten", "u", N1.value()), null);
        write(
                stack.topics.interests(),
                Keys.interest(new Interest(N1, TopicFilter.parse("w"), e)),
                Framing.encode(new InterestRequest(ONE, 7L)));

        Edge second = keeping();

        await().untilAsserted(() -> {
            assertThat(stack.table(stack.topics.subscriptions()).keySet())
                    .as("row without session, session without row")
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains("sleeper");
            assertThat(stack.table(stack.topics.interests()))
                    .as("interests without rows")
                    .hasSize(1);
        });
        assertThat(resume(second, "sleeper").mqtt.getState().isConnected()).isTrue();
        Client again = new Client(second, "forgotten");
        assertThat(again.mqtt
                        .connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(3_600)
                        .send()
                        .isSessionPresent())
                .as("it has to subscribe anew, so it must be told so")
                .isFalse();
        again.mqtt.disconnectWith().sessionExpiryInterval(0).send();
    }

    @Test
    void shouldGiveUpSessionsThatGoToAnotherEdgeBeforeOrAfterTheRestart() {
        Edge first = keeping();
        for (String id : List.of("before", "after")) {
            Client client = sleeper(first, id);
            client.subscribe("t", QOS_1, "neighborhood", ONE);
            client.subscribe("p", QOS_1);
            client.mqtt.disconnect();
        }
        first.close();
        assertThat(stack.table(stack.topics.sessions()))
                .as("claims of sessions that are kept")
                .containsOnlyKeys("before", "after");
        Edge other = stack.edge("other");
        Client before = sleeper(other, "before");
        await().untilAsserted(() -> assertThat(claimOf("before")).isEqualTo("other"));

        keeping();

        await().untilAsserted(() -> assertThat(
                        stack.table(stack.topics.subscriptions()).keySet())
                .hasSize(2)
                .allMatch(key -> key.startsWith("e\0after\0")));
        assertThat(EdgeStack.stored("before"))
                .as("of the edge that was started last")
                .isEmpty();
        await().untilAsserted(() -> assertThat(claimOf("after")).isEqualTo("e"));
        assertThat(before.mqtt.getState().isConnected()).isTrue();

        Client after = sleeper(other, "after");
        await().untilAsserted(() ->
                assertThat(stack.table(stack.topics.subscriptions())).isEmpty());
        assertThat(claimOf("before")).isEqualTo("other");
        for (Client client : List.of(before, after)) {
            client.mqtt.disconnectWith().sessionExpiryInterval(0).send();
        }
        await().untilAsserted(
                        () -> assertThat(stack.table(stack.topics.sessions())).isEmpty());
    }

    @Test
    void shouldForgetWhatHivemqHasNotStored() {
        Edge edge = keeping();
        Client client = sleeper(edge, "c");
        client.subscribe("t", QOS_1, "neighborhood", ONE);
        client.subscribe("q", QOS_1, "neighborhood", ONE);
        String hidden = EdgeStack.stored("c").stream()
                .filter(f -> f.endsWith("/q"))
                .findAny()
                .orElseThrow();
        Services.subscriptionStore().removeSubscriptions("c", Set.of(hidden)).join();

        await().untilAsserted(() ->
                assertThat(stack.table(stack.topics.subscriptions())).hasSize(1));

        assertThat(stack.count("hereabouts.edge.repaired", "kind", "unstored")).isEqualTo(1);
        assertThat(EdgeStack.stored("c")).hasSize(1);
        client.mqtt.disconnectWith().sessionExpiryInterval(0).send();
    }

    private String claimOf(String client) {
        return stack.records(stack.topics.sessions()).stream()
                .filter(r -> new String(r.key(), StandardCharsets.UTF_8).equals(client) && r.value() != null)
                .reduce((earlier, later) -> later)
                .map(r -> {
                    try {
                        return Framing.decode(r.value(), SessionClaim.class).getEdge();
                    } catch (UndecodableException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .orElse("");
    }

    private void publish(Client publisher, int from, int to) {
        List<CompletableFuture<?>> acknowledged = new ArrayList<>();
        for (int i = from; i < to; i++) {
            acknowledged.add(publisher.async.publish(
                    Client.message("t", i % 2 == 0 ? QOS_1 : QOS_2, String.valueOf(i), "entity", "a1")));
        }
        acknowledged.forEach(CompletableFuture::join);
    }

    private static List<Integer> numbers(Client client) {
        return client.payloads().stream()
                .filter(p -> p.matches("\\d+"))
                .map(Integer::valueOf)
                .toList();
    }

    /** How many deliveries have come to HiveMQ for a client that is away: it has so many messages queued. */
    private double reached() {
        return stack.registry.find("hereabouts.edge.in.flight").gauges().stream()
                .mapToDouble(g -> g.value())
                .sum();
    }

    private void write(String topic, byte[] key, byte @Nullable [] value) {
        int partition = stack.records(topic).stream()
                .filter(r -> java.util.Arrays.equals(r.key(), key))
                .mapToInt(r -> r.partition())
                .findFirst()
                .orElse(0);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(stack.kafka.producer("test"))) {
            producer.send(new ProducerRecord<>(topic, partition, key, value)).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
