package io.hereabouts.cli;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An MQTT client that subscribes to topics of its own, and whose session ends with its connection. For one thread. */
final class DoctorClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Longer than an edge takes to refuse a SUBSCRIBE by default. */
    private static final Duration SUBSCRIBE_PATIENCE = Duration.ofSeconds(20);

    private static final int EXPIRY_SECONDS = 60;

    private final Mqtt5AsyncClient client;
    private final Set<String> received = ConcurrentHashMap.newKeySet();
    private final Object arrival = new Object();

    private DoctorClient(Mqtt5AsyncClient client) {
        this.client = client;
    }

    static DoctorClient connect(MqttOptions mqtt) throws Exception {
        DoctorClient doctor = new DoctorClient(mqtt.client().buildAsync());
        doctor.client.publishes(MqttGlobalPublishFilter.ALL, doctor::arrived);
        try {
            within(PATIENCE, "CONNECT", doctor.client.connect());
            return doctor;
        } catch (Exception e) {
            doctor.close();
            throw e;
        }
    }

    /** A topic that nobody else uses. */
    static String topic() {
        return "hereabouts-doctor/" + UUID.randomUUID();
    }

    void subscribe(String topic) throws Exception {
        subscribe(topic, Mqtt5UserProperties.builder().build());
    }

    void subscribe(String topic, String descriptor) throws Exception {
        subscribe(
                topic,
                Mqtt5UserProperties.builder()
                        .add(UserPropertyNames.DEFAULT.neighborhood(), descriptor)
                        .build());
    }

    private void subscribe(String topic, Mqtt5UserProperties properties) throws Exception {
        within(
                SUBSCRIBE_PATIENCE,
                "SUBSCRIBE",
                client.subscribe(Mqtt5Subscribe.builder()
                        .topicFilter(topic)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .userProperties(properties)
                        .build()));
    }

    /** Publishes about the entity and waits for it to come back; false if it does not in time. */
    boolean roundTrip(String topic, String entity, Duration atMost) throws Exception {
        String payload = UUID.randomUUID().toString();
        long deadline = System.nanoTime() + atMost.toNanos();
        Mqtt5PublishResult result = within(
                PATIENCE,
                "PUBLISH",
                client.publish(Mqtt5Publish.builder()
                        .topic(topic)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .messageExpiryInterval(EXPIRY_SECONDS)
                        .payload(payload.getBytes(StandardCharsets.UTF_8))
                        .userProperties(Mqtt5UserProperties.builder()
                                .add(UserPropertyNames.DEFAULT.entity(), entity)
                                .build())
                        .build()));
        if (result.getError().isPresent()) {
            throw new FailedException(
                    "PUBLISH refused: " + Reasons.of(result.getError().get()));
        }
        synchronized (arrival) {
            while (!received.contains(payload)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(arrival, left);
            }
        }
        return true;
    }

    private void arrived(Mqtt5Publish publish) {
        synchronized (arrival) {
            received.add(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8));
            arrival.notifyAll();
        }
    }

    private static <T> T within(Duration patience, String packet, CompletableFuture<T> answer) throws Exception {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new FailedException(packet + " was not answered within " + patience.toSeconds() + " s");
        }
    }

    @Override
    public void close() {
        client.disconnect()
                .exceptionally(e -> null)
                .completeOnTimeout(null, PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
