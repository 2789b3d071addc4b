package io.hereabouts.launcher;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientAutoReconnect;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5MessageException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.Mqtt5Unsubscribe;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An MQTT 5 client as a user would write one. */
final class TestClient implements AutoCloseable {

    /**
     * How a request ended.
     *
     * @param code reason code; -1 if the connection ended without one
     * @param reason reason string, or empty
     */
    record Answer(int code, String reason) {
        boolean refused() {
            return code < 0 || code >= 0x80;
        }
    }

    private final Mqtt5AsyncClient client;

    private TestClient(Mqtt5AsyncClient client) {
        this.client = client;
    }

    static TestClient connect(int port, String id, Consumer<Mqtt5Publish> received) {
        Mqtt5AsyncClient client = Mqtt5Client.builder()
                .identifier(id)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, received);
        client.connect().join();
        return new TestClient(client);
    }

    /** One that connects again when its connection is lost, and subscribes nothing by itself then. Not connected yet. */
    static Mqtt5AsyncClient returning(int port, String id) {
        return Mqtt5Client.builder()
                .identifier(id)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .automaticReconnect(MqttClientAutoReconnect.builder()
                        .initialDelay(100, TimeUnit.MILLISECONDS)
                        .maxDelay(1, TimeUnit.SECONDS)
                        .build())
                .addDisconnectedListener(context -> {
                    if (context.getReconnector().isReconnect()) {
                        context.getReconnector().resubscribeIfSessionExpired(false);
                    }
                })
                .buildAsync();
    }

    /** One that only publishes, and comes back after a DISCONNECT. */
    static TestClient reconnecting(int port, String id) {
        Mqtt5AsyncClient client = returning(port, id);
        client.connect().join();
        return new TestClient(client);
    }

    boolean isConnected() {
        return client.getState().isConnected();
    }

    CompletableFuture<Answer> subscribe(
            String filter, int qos, @Nullable String descriptor, @Nullable String neighborhoodId) {
        Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
        if (descriptor != null) {
            properties = properties.add("neighborhood", descriptor.replace('\n', ' '));
        }
        if (neighborhoodId != null) {
            properties = properties.add("neighborhood-id", neighborhoodId);
        }
        return client.subscribe(Mqtt5Subscribe.builder()
                        .topicFilter(filter)
                        .qos(Objects.requireNonNull(MqttQos.fromCode(qos)))
                        .userProperties(properties.build())
                        .build())
                .handle((ack, e) ->
                        e == null ? new Answer(ack.getReasonCodes().get(0).getCode(), "") : answer(e));
    }

    CompletableFuture<Answer> unsubscribe(String filter, String neighborhoodId) {
        return client.unsubscribe(Mqtt5Unsubscribe.builder()
                        .topicFilter(filter)
                        .userProperties(Mqtt5UserProperties.builder()
                                .add("neighborhood-id", neighborhoodId)
                                .build())
                        .build())
                .handle((ack, e) ->
                        e == null ? new Answer(ack.getReasonCodes().get(0).getCode(), "") : answer(e));
    }

    CompletableFuture<Answer> publish(String topic, int qos, String payload, String... entities) {
        Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
        for (String entity : entities) {
            properties = properties.add("entity", entity);
        }
        return client.publish(Mqtt5Publish.builder()
                        .topic(topic)
                        .qos(Objects.requireNonNull(MqttQos.fromCode(qos)))
                        .payload(payload.getBytes(StandardCharsets.UTF_8))
                        .userProperties(properties.build())
                        .build())
                .handle((result, e) -> {
                    Throwable error = e == null ? result.getError().orElse(null) : e;
                    return error == null ? new Answer(0, "") : answer(error);
                });
    }

    @Override
    public void close() {
        client.disconnect().exceptionally(e -> null).join();
    }

    private static Answer answer(Throwable e) {
        Throwable cause = e;
        while (!(cause instanceof Mqtt5MessageException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Mqtt5SubAckException refused) {
            return new Answer(
                    refused.getMqttMessage().getReasonCodes().get(0).getCode(),
                    refused.getMqttMessage()
                            .getReasonString()
                            .map(Object::toString)
                            .orElse(""));
        }
        if (cause instanceof Mqtt5PubAckException refused) {
            return new Answer(
                    refused.getMqttMessage().getReasonCode().getCode(),
                    refused.getMqttMessage()
                            .getReasonString()
                            .map(Object::toString)
                            .orElse(""));
        }
        if (cause instanceof Mqtt5DisconnectException disconnected) {
            return new Answer(
                    disconnected.getMqttMessage().getReasonCode().getCode(),
                    disconnected
                            .getMqttMessage()
                            .getReasonString()
                            .map(Object::toString)
                            .orElse(""));
        }
        if (cause instanceof Mqtt5MessageException other) {
            return new Answer(-1, String.valueOf(other.getMqttMessage()));
        }
        return new Answer(-1, String.valueOf(cause));
    }

    static @Nullable String userProperty(Mqtt5Publish publish, String name) {
        return publish.getUserProperties().asList().stream()
                .filter(p -> p.getName().toString().equals(name))
                .map(p -> p.getValue().toString())
                .findFirst()
                .orElse(null);
    }
}
