package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client that retains, and keeps what it gets. */
final class RetainedClient implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(30);

    final List<Mqtt5Publish> received = new CopyOnWriteArrayList<>();
    private final Mqtt5AsyncClient client;

    RetainedClient(int port, String id) {
        client = Mqtt5Client.builder()
                .identifier(id)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, received::add);
        client.connect().join();
    }

    /** What a subscription may ask for. */
    record Wish(int qos, int retainHandling, boolean retainAsPublished, @Nullable String descriptor) {
        static Wish of(int qos, @Nullable String descriptor) {
            return new Wish(qos, 0, false, descriptor);
        }
    }

    /** Returns when the SUBACK is there. */
    RetainedClient subscribe(String filter, Wish wish) {
        Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
        if (wish.descriptor() != null) {
            properties = properties.add("neighborhood", wish.descriptor()).add("neighborhood-id", "here");
        }
        client.subscribe(Mqtt5Subscribe.builder()
                        .addSubscription(Mqtt5Subscription.builder()
                                .topicFilter(filter)
                                .qos(qos(wish.qos()))
                                .retainHandling(
                                        Objects.requireNonNull(Mqtt5RetainHandling.fromCode(wish.retainHandling())))
                                .retainAsPublished(wish.retainAsPublished())
                                .build())
                        .userProperties(properties.build())
                        .build())
                .join();
        return this;
    }

    /** Completes when it is acknowledged, exceptionally when it is refused. */
    CompletableFuture<Mqtt5PublishResult> send(Mqtt5Publish publish) {
        return client.publish(publish).thenApply(result -> {
            result.getError().ifPresent(e -> {
                throw new IllegalStateException(e);
            });
            return result;
        });
    }

    /** Returns when it is acknowledged. */
    void retain(String topic, int qos, String payload, String entity) {
        send(publication(topic, qos, payload, entity).retain(true).build()).join();
    }

    static Mqtt5PublishBuilder.Complete publication(String topic, int qos, String payload, String entity) {
        return Mqtt5Publish.builder()
                .topic(topic)
                .qos(qos(qos))
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .userProperties(
                        Mqtt5UserProperties.builder().add("entity", entity).build());
    }

    private static MqttQos qos(int qos) {
        return Objects.requireNonNull(MqttQos.fromCode(qos));
    }

    /** What it got, as {@code payload} or {@code payload R} with RETAIN. */
    List<String> got() {
        return received.stream()
                .map(p -> payload(p) + (p.isRetain() ? " R" : ""))
                .toList();
    }

    static String payload(Mqtt5Publish publish) {
        return new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }

    /** Waits until it has got so much, in this order. */
    RetainedClient awaits(String... expected) {
        return awaitThat(RetainedClient::got, List.of(expected));
    }

    private RetainedClient awaitThat(Function<RetainedClient, List<String>> what, List<String> expected) {
        await().atMost(LONG).untilAsserted(() -> assertThat(what.apply(this)).containsExactlyElementsOf(expected));
        return this;
    }

    @Override
    public void close() {
        client.disconnect().exceptionally(e -> null).join();
    }
}
