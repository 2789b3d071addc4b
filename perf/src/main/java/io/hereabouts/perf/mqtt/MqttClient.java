package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientAutoReconnect;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubRecException;
import com.hivemq.client.mqtt.mqtt5.lifecycle.Mqtt5ClientConnectedContext;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An MQTT 5 client. Thread-safe. */
public final class MqttClient implements AutoCloseable {

    private static final UserPropertyNames NAMES = UserPropertyNames.DEFAULT;
    private static final int FEW_UNACKNOWLEDGED = 10;
    private static final long ANSWER_SECONDS = 60;
    private static final long SESSION_SECONDS = 3_600;
    private static final long AGAIN_MILLIS = 100;
    private static final long AGAIN_AT_MOST_MILLIS = 1_000;

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
        Mqtt5AsyncClient client = builder(broker, id).buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, received);
        await("connect to " + broker, client.connect());
        return new MqttClient(client);
    }

    /** Connects a client that takes a few messages of QoS 1 or 2 and never acknowledges one. */
    static MqttClient connectSilent(MqttAddress broker, String id) throws MeasurementException, InterruptedException {
        Mqtt5AsyncClient client = builder(broker, id).buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, message -> {}, true);
        await(
                "connect to " + broker,
                client.connectWith()
                        .restrictions()
                        .receiveMaximum(FEW_UNACKNOWLEDGED)
                        .applyRestrictions()
                        .send());
        return new MqttClient(client);
    }

    /** What becomes of the connection of a client whose session outlives it. Called on a thread of the client. */
    public interface Session {
        /** It connected again. */
        void connected(boolean sessionPresent);

        /** It was connected, and is not any more. */
        void disconnected();
    }

    /**
     * Connects with a new session that lasts for an hour without connection, and connects again whenever the connection is
     * lost.
     *
     * @param received gets every message, on a thread of the client
     */
    public static MqttClient connectForGood(
            MqttAddress broker, String id, Consumer<Mqtt5Publish> received, Session session)
            throws MeasurementException, InterruptedException {
        AtomicBoolean first = new AtomicBoolean(true);
        Mqtt5AsyncClient client = builder(broker, id)
                .automaticReconnect(MqttClientAutoReconnect.builder()
                        .initialDelay(AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                        .maxDelay(AGAIN_AT_MOST_MILLIS, TimeUnit.MILLISECONDS)
                        .build())
                .addConnectedListener(context -> {
                    if (!first.getAndSet(false)) {
                        session.connected(((Mqtt5ClientConnectedContext) context)
                                .getConnAck()
                                .isSessionPresent());
                    }
                })
                .addDisconnectedListener(context -> {
                    // of attempts that failed it is told as well
                    if (context.getClientConfig().getState().isConnected()
                            || context.getReconnector().getAttempts() == 0) {
                        session.disconnected();
                    }
                    context.getReconnector().resubscribeIfSessionExpired(false);
                })
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, received);
        await(
                "connect to " + broker,
                client.connectWith()
                        .cleanStart(true)
                        .sessionExpiryInterval(SESSION_SECONDS)
                        .send());
        return new MqttClient(client);
    }

    /** Answer to a SUBSCRIBE. */
    public record Answer(long nanos, @Nullable String refusal) {
        public boolean refused() {
            return refusal != null;
        }
    }

    /** What a publisher knows of a message. */
    public enum Fate {
        /** The broker took it; for QoS 0: it was sent. */
        TAKEN,
        /** The broker refused it. */
        REFUSED,
        UNKNOWN
    }

    /**
     * Subscribes and waits for the SUBACK.
     *
     * @param descriptor of a neighborhood, or null for a plain subscription
     * @param neighborhoodId what the neighborhood is called in messages
     */
    public Answer subscribe(String topicFilter, int qos, @Nullable String descriptor, String neighborhoodId)
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

    /** Publishes; completes with what became of it, as soon as that can be known. */
    public CompletableFuture<Fate> send(Mqtt5Publish message) {
        return client.publish(message).handle((result, e) -> {
            Throwable told = e == null ? result.getError().orElse(null) : e;
            Throwable error = told instanceof CompletionException && told.getCause() != null ? told.getCause() : told;
            if (error == null) {
                return Fate.TAKEN;
            }
            return error instanceof Mqtt5PubAckException || error instanceof Mqtt5PubRecException
                    ? Fate.REFUSED
                    : Fate.UNKNOWN;
        });
    }

    public static MqttQos qos(int qos) {
        return Objects.requireNonNull(MqttQos.fromCode(qos));
    }

    /** What makes a message spatial. */
    public static Mqtt5UserProperties about(String entity) {
        return Mqtt5UserProperties.builder().add(NAMES.entity(), entity).build();
    }

    /** Whether the message lists this neighborhood. */
    static boolean isIn(Mqtt5Publish message, String neighborhoodId) {
        return message.getUserProperties().asList().stream()
                .anyMatch(p -> p.getName().toString().equals(NAMES.neighborhoodId())
                        && p.getValue().toString().equals(neighborhoodId));
    }

    private static Mqtt5ClientBuilder builder(MqttAddress broker, String id) {
        return Mqtt5Client.builder().identifier(id).serverHost(broker.host()).serverPort(broker.port());
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
