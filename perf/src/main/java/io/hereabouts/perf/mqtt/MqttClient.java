package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An MQTT 5 client with a clean session. Thread-safe. */
final class MqttClient implements AutoCloseable {

    private static final UserPropertyNames NAMES = UserPropertyNames.DEFAULT;
    private static final long ANSWER_SECONDS = 60;

    private final Mqtt5AsyncClient client;

    private MqttClient(Mqtt5AsyncClient client) {
        this.client = client;
    }

    /**
     * Connects.
     *
     * @param received gets every message, on a thread of the client
     */
    static MqttClient connect(MqttAddress broker, String id, Consumer<Mqtt5Publish> received)
            throws MeasurementException, InterruptedException {
        Mqtt5AsyncClient client = Mqtt5Client.builder()
                .identifier(id)
                .serverHost(broker.host())
                .serverPort(broker.port())
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, received);
        await("connect to " + broker, client.connect());
        return new MqttClient(client);
    }

    /** Answer to a SUBSCRIBE. */
    record Answer(long nanos, @Nullable String refusal) {
        boolean refused() {
            return refusal != null;
        }
    }

    /**
     * Subscribes and waits for the SUBACK.
     *
     * @param descriptor of a neighborhood, or null for a plain subscription
     * @param neighborhoodId what the neighborhood is called in messages
     */
    Answer subscribe(String topicFilter, int qos, @Nullable String descriptor, String neighborhoodId)
            throws MeasurementException, InterruptedException {
        Mqtt5UserProperties properties = descriptor == null
                ? Mqtt5UserProperties.of()
                : Mqtt5UserProperties.builder()
                        .add(NAMES.neighborhood(), descriptor)
                        .add(NAMES.neighborhoodId(), neighborhoodId)
                        .build();
        Mqtt5Subscribe subscribe = Mqtt5Subscribe.builder()
                .topicFilter(topicFilter)
                .qos(qos(qos))
                .userProperties(properties)
                .build();
        long begin = System.nanoTime();
        return await(
                "SUBSCRIBE " + topicFilter,
                client.subscribe(subscribe)
                        .thenApply(ack -> new Answer(System.nanoTime() - begin, null))
                        .exceptionally(e -> new Answer(System.nanoTime() - begin, Reasons.of(e))));
    }

    /** Publishes; completes with whether the broker took it, for QoS 0 whether it was sent. */
    CompletableFuture<Boolean> publish(Mqtt5Publish message) {
        return client.publish(message)
                .handle((result, e) -> e == null && result.getError().isEmpty());
    }

    static MqttQos qos(int qos) {
        return Objects.requireNonNull(MqttQos.fromCode(qos));
    }

    /** What makes a message spatial. */
    static Mqtt5UserProperties about(String entity) {
        return Mqtt5UserProperties.builder().add(NAMES.entity(), entity).build();
    }

    /** Whether the message lists this neighborhood. */
    static boolean isIn(Mqtt5Publish message, String neighborhoodId) {
        return message.getUserProperties().asList().stream()
                .anyMatch(p -> p.getName().toString().equals(NAMES.neighborhoodId())
                        && p.getValue().toString().equals(neighborhoodId));
    }

    private static <T> T await(String what, CompletableFuture<T> answer)
            throws MeasurementException, InterruptedException {
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new MeasurementException("cannot " + what, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new MeasurementException("no answer to " + what + " within " + ANSWER_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        client.disconnect().exceptionally(e -> null).join();
    }
}
