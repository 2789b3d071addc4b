package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * A publisher that sends at QoS 1 as fast as it is acknowledged, and one subscriber of its neighborhood, which reads or
 * never acknowledges anything. For one thread at a time.
 */
final class Flood implements AutoCloseable {

    private static final Duration SETTLE = Duration.ofSeconds(5);

    private final MqttClient publisher;
    private final MqttClient subscriber;
    private final Mqtt5Publish message;
    private final int window;
    private final boolean reads;
    private final LongAdder taken = new LongAdder();
    private final AtomicLong received;
    private long published;

    private Flood(
            MqttClient publisher,
            MqttClient subscriber,
            boolean reads,
            AtomicLong received,
            Mqtt5Publish message,
            int window) {
        this.publisher = publisher;
        this.subscriber = subscriber;
        this.reads = reads;
        this.received = received;
        this.message = message;
        this.window = window;
    }

    /**
     * Connects and subscribes.
     *
     * @param topic of this flood only
     * @param reads whether the subscriber acknowledges what it gets
     */
    static Flood open(MqttAddress edge, String topic, TinyWorld world, boolean reads, int window, int payload)
            throws MeasurementException, InterruptedException {
        AtomicLong received = new AtomicLong();
        String name = topic.replace('/', '-');
        MqttClient subscriber = reads
                ? MqttClient.connect(edge, name + "-reader", m -> received.incrementAndGet())
                : MqttClient.connectSilent(edge, name + "-silent");
        try {
            MqttClient.Answer answer = subscriber.subscribe(topic, 1, world.descriptor(0), "perf");
            if (answer.refused()) {
                throw new MeasurementException("SUBSCRIBE was refused: " + answer.refusal());
            }
            Mqtt5Publish message = Mqtt5Publish.builder()
                    .topic(MqttTopic.of(topic))
                    .qos(MqttClient.qos(1))
                    .payload(new byte[payload])
                    .userProperties(MqttClient.about(world.detectors().get(0)))
                    .build();
            return new Flood(
                    MqttClient.connect(edge, name + "-publisher", m -> {}),
                    subscriber,
                    reads,
                    received,
                    message,
                    window);
        } catch (MeasurementException | RuntimeException | InterruptedException e) {
            subscriber.close();
            throw e;
        }
    }

    /**
     * Publishes as long as it is to; returns when all of it is acknowledged and no more of it comes to its subscriber.
     *
     * @throws IllegalStateException if the edge does not take it
     */
    void run(BooleanSupplier goesOn) throws InterruptedException {
        Semaphore free = new Semaphore(window);
        while (goesOn.getAsBoolean() && taken.sum() + window >= published) {
            free.acquire();
            published++;
            var unused = publisher.publish(message).thenAccept(ok -> {
                if (ok) {
                    taken.increment();
                }
                free.release();
            });
        }
        free.acquire(window);
        if (taken.sum() < published) {
            throw new IllegalStateException("the edge took " + taken.sum() + " of " + published + " messages");
        }
        if (reads) {
            Settling.await(received::get, published, SETTLE);
        }
    }

    /** Messages that the edge acknowledged, since the beginning. */
    long taken() {
        return taken.sum();
    }

    /** Messages that have come to the subscriber. */
    long received() {
        return received.get();
    }

    @Override
    public void close() {
        publisher.close();
        subscriber.close();
    }
}
