package io.hereabouts.replay.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.PublicationSink;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes through an edge: MQTT 5 over TCP at QoS 1, with the entity as user property. So many publications at most are
 * on their way, and never more than the edge lets a client have. They are sent in order; after a lost connection those
 * without acknowledgement are sent again in their order, before any other: at least once.
 *
 * <p>A publication that the edge refuses for itself is counted. Everything else ends the replay: a refusal for now
 * (0x97, which could not be repeated without overtaking), a DISCONNECT that would come again, and an edge that does not
 * acknowledge anything for too long. {@link #send} is for one thread.
 */
public final class MqttPublicationSink implements PublicationSink {

    /** Publications on their way at most. */
    public static final int DEFAULT_IN_FLIGHT = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(MqttPublicationSink.class);

    /** How many refusals are logged; the rest is counted. */
    private static final int LOGGED = 20;

    private static final long CHECK_MILLIS = 100;
    private static final long MAX_DELAY_MILLIS = 2_000;
    private static final long CLOSE_SECONDS = 5;

    private final MqttAddress edge;
    private final Duration patience;
    private final Mqtt5AsyncClient client;
    private final Semaphore room = new Semaphore(0);
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final Map<String, Long> refused = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable SinkFailedException> failure = new AtomicReference<>();
    private volatile boolean connected;
    private volatile boolean closing;
    private volatile long progressNanos;

    /** Why there is no connection; empty while there is one. */
    private volatile String lost = "";

    private int window;

    private MqttPublicationSink(MqttAddress edge, Duration patience) {
        this.edge = edge;
        this.patience = patience;
        this.client = Mqtt5Client.builder()
                .identifier("hereabouts-replay-" + UUID.randomUUID())
                .serverHost(edge.host())
                .serverPort(edge.port())
                .addConnectedListener(context -> connected())
                .addDisconnectedListener(this::disconnected)
                .buildAsync();
    }

    /**
     * Connects.
     *
     * @param inFlight publications on their way at most, at least 1; fewer if the edge's receive maximum is smaller
     * @param patience how long the edge may acknowledge nothing that is on its way; at least 1 s
     * @throws SinkFailedException if the edge does not answer, or refuses the connection
     */
    public static MqttPublicationSink open(MqttAddress edge, int inFlight, Duration patience)
            throws SinkFailedException, InterruptedException {
        if (inFlight < 1 || patience.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "expected at least 1 in flight and 1 s, found " + inFlight + " and " + patience);
        }
        MqttPublicationSink sink = new MqttPublicationSink(edge, patience);
        try {
            sink.connect(inFlight);
            return sink;
        } catch (SinkFailedException | InterruptedException | RuntimeException e) {
            sink.close();
            throw e;
        }
    }

    /** With {@link #DEFAULT_IN_FLIGHT} and 30 s. */
    public static MqttPublicationSink open(MqttAddress edge) throws SinkFailedException, InterruptedException {
        return open(edge, DEFAULT_IN_FLIGHT, Duration.ofSeconds(30));
    }

    private void connect(int inFlight) throws SinkFailedException, InterruptedException {
        try {
            client.connect().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new SinkFailedException("cannot connect to " + edge + ": " + Reasons.of(e), e);
        } catch (TimeoutException e) {
            throw new SinkFailedException("cannot connect to " + edge + ": no answer in time", e);
        }
        int receiveMaximum = client.getConfig()
                .getConnectionConfig()
                .map(connection -> connection.getRestrictionsForClient().getSendMaximum())
                .orElse(1);
        window = Math.min(inFlight, receiveMaximum);
        progressed();
        room.release(window);
    }

    private void connected() {
        connected = true;
        if (closing) {
            var unused = client.disconnect();
        } else if (!lost.isEmpty()) {
            lost = "";
            LOG.warn("connected to {} again; what it has not acknowledged is sent again", edge);
        }
    }

    private void disconnected(MqttClientDisconnectedContext context) {
        if (!connected || closing || context.getSource() == MqttDisconnectSource.USER) {
            return;
        }
        String reason = Reasons.of(context.getCause());
        if (!Reasons.passes(context.getCause())) {
            fail(edge + " has disconnected: " + reason, context.getCause());
            return;
        }
        if (lost.isEmpty()) {
            LOG.warn("connection to {} is lost: {}; connecting again", edge, reason);
        }
        lost = reason;
        long attempts = Math.min(10, context.getReconnector().getAttempts());
        context.getReconnector()
                .reconnect(failure.get() == null)
                .republishIfSessionExpired(true)
                .delay(Math.min(MAX_DELAY_MILLIS, CHECK_MILLIS << attempts), TimeUnit.MILLISECONDS);
    }

    @Override
    public void send(EntityId entity, Publication publication) throws SinkFailedException, InterruptedException {
        await(1);
        if (room.availablePermits() == window - 1) {
            progressed();
        }
        var unused = client.publish(publish(entity, publication))
                .whenComplete((result, e) -> settled(entity, publication, result, e));
    }

    private static Mqtt5Publish publish(EntityId entity, Publication publication) {
        var publish = Mqtt5Publish.builder()
                .topic(publication.getTopic())
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(publication.getPayload())
                .userProperties(Mqtt5UserProperties.builder()
                        .add(UserPropertyNames.DEFAULT.entity(), entity.value())
                        .build());
        if (publication.getContentType() != null) {
            publish = publish.contentType(publication.getContentType());
        }
        Integer format = publication.getPayloadFormatIndicator();
        return format == null
                ? publish.build()
                : publish.payloadFormatIndicator(Mqtt5PayloadFormatIndicator.fromCode(format))
                        .build();
    }

    private void settled(
            EntityId entity, Publication publication, @Nullable Mqtt5PublishResult result, @Nullable Throwable thrown) {
        Throwable error = result == null ? thrown : result.getError().orElse(null);
        if (error == null) {
            acknowledged.incrementAndGet();
        } else if (error instanceof Mqtt5PubAckException ack
                && ack.getMqttMessage().getReasonCode() != Mqtt5PubAckReasonCode.QUOTA_EXCEEDED) {
            refused.merge(Reasons.code(ack.getMqttMessage().getReasonCode()), 1L, Long::sum);
            long count = refusals.incrementAndGet();
            if (count <= LOGGED) {
                LOG.warn(
                        "{} refused a publication to {} about {}: {}{}",
                        edge,
                        publication.getTopic(),
                        entity,
                        Reasons.of(error),
                        count == LOGGED ? "; further ones are only counted" : "");
            }
        } else {
            fail(edge + " did not take a publication about " + entity + ": " + Reasons.of(error), error);
        }
        progressed();
        room.release();
    }

    @Override
    public void flush() throws SinkFailedException, InterruptedException {
        await(window);
        room.release(window);
    }

    /** Acquires room. A failed connection need not give back any: so this looks up now and then. */
    private void await(int permits) throws SinkFailedException, InterruptedException {
        refuseIfUseless();
        while (!room.tryAcquire(permits, CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
            refuseIfUseless();
        }
        if (failure.get() != null) {
            room.release(permits);
            refuseIfUseless();
        }
    }

    private void refuseIfUseless() throws SinkFailedException {
        boolean waiting = room.availablePermits() < window;
        if (waiting && System.nanoTime() - progressNanos > patience.toNanos()) {
            String reason = lost;
            fail(
                    edge + " has not acknowledged anything for " + patience.toSeconds() + " s"
                            + (reason.isEmpty() ? "" : ": " + reason),
                    new TimeoutException());
        }
        SinkFailedException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void fail(String message, Throwable cause) {
        failure.compareAndSet(null, new SinkFailedException(message, cause));
    }

    private void progressed() {
        progressNanos = System.nanoTime();
    }

    @Override
    public long acknowledged() {
        return acknowledged.get();
    }

    @Override
    public Map<String, Long> refused() {
        return new TreeMap<>(refused);
    }

    @Override
    public void close() {
        closing = true;
        client.disconnect()
                .exceptionally(e -> null)
                .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
