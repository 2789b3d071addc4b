package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One publisher and its subscribers on one broker, connected from {@link #open} until closed; every subscriber is to get
 * every message. Rounds are published by the thread that asks for them, one at a time.
 */
final class Load implements AutoCloseable {

    private static final Duration STALL = Duration.ofSeconds(30);

    /**
     * What is published and to whom.
     *
     * @param topicPrefix of this run's messages only
     * @param entities one topic name each
     * @param descriptor of the neighborhood to subscribe to, with the entity in each message; null for neither
     * @param seed of the order of entities
     */
    record Plan(
            long run,
            String topicPrefix,
            List<String> entities,
            @Nullable String descriptor,
            int subscribers,
            int qos,
            int payload,
            long seed) {}

    private record Template(MqttTopic topic, Mqtt5UserProperties properties) {}

    private final Plan plan;
    private final List<Template> templates = new ArrayList<>();
    private final Map<String, Integer> entityOfTopic = new HashMap<>();
    private final List<MqttClient> clients = new ArrayList<>();
    private final LongAdder foreign = new LongAdder();
    private final Random random;
    private int rounds;
    private volatile @Nullable Round current;

    private Load(Plan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        for (String entity : plan.entities()) {
            String topic = plan.topicPrefix() + "/" + templates.size();
            entityOfTopic.put(topic, templates.size());
            templates.add(new Template(
                    MqttTopic.of(topic),
                    plan.descriptor() == null ? Mqtt5UserProperties.of() : MqttClient.about(entity)));
        }
    }

    /** Connects and subscribes. */
    static Load open(MqttAddress broker, Plan plan) throws MeasurementException, InterruptedException {
        Load load = new Load(plan);
        try {
            String name = plan.topicPrefix().replace('/', '-');
            for (int s = 0; s < plan.subscribers(); s++) {
                int subscriber = s;
                MqttClient client =
                        load.keep(MqttClient.connect(broker, name + "-" + s, m -> load.received(subscriber, m)));
                MqttClient.Answer answer =
                        client.subscribe(plan.topicPrefix() + "/#", plan.qos(), plan.descriptor(), "perf");
                if (answer.refused()) {
                    throw new MeasurementException("SUBSCRIBE was refused: " + answer.refusal());
                }
            }
            load.keep(MqttClient.connect(broker, name + "-publisher", m -> {}));
            return load;
        } catch (MeasurementException | RuntimeException | InterruptedException e) {
            load.close();
            throw e;
        }
    }

    /**
     * Open loop: a message is due at fixed intervals, whatever became of those before, and its latency counts from when
     * it was due.
     */
    Round atRate(int perSecond, Duration duration) throws InterruptedException {
        Round round = begin(0);
        long begin = System.nanoTime();
        int count = Math.toIntExact(duration.toNanos() * perSecond / TimeUnit.SECONDS.toNanos(1));
        for (int n = 0; n < count; n++) {
            long due = begin + n * TimeUnit.SECONDS.toNanos(1) / perSecond;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            publish(round, n, due);
        }
        round.await();
        return round;
    }

    /** Closed loop: as fast as copies arrive, with so many messages on their way. */
    Round asFastAsItGoes(int window, Duration duration) throws MeasurementException, InterruptedException {
        Round round = begin(window * plan.subscribers());
        long end = System.nanoTime() + duration.toNanos();
        for (int n = 0; System.nanoTime() < end; n++) {
            if (!round.window().tryAcquire(plan.subscribers(), STALL.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new MeasurementException("copies stay away: " + round.delivered() + " of " + round.expected());
            }
            publish(round, n, System.nanoTime());
        }
        round.await();
        return round;
    }

    private Round begin(int window) {
        Round round = new Round(rounds++, plan.subscribers(), templates.size(), window);
        current = round;
        return round;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are counted
    private void publish(Round round, int sequence, long due) {
        Template template = templates.get(random.nextInt(templates.size()));
        Note note = new Note(plan.run(), round.number(), sequence, due);
        round.published(sequence + 1);
        clients.get(plan.subscribers())
                .publish(Mqtt5Publish.builder()
                        .topic(template.topic())
                        .qos(MqttClient.qos(plan.qos()))
                        .payload(note.payload(plan.payload()))
                        .userProperties(template.properties())
                        .build())
                .thenAccept(round::answered);
    }

    private void received(int subscriber, Mqtt5Publish message) {
        long now = System.nanoTime();
        Round round = current;
        Note note = Note.of(message.getPayloadAsBytes()).orElse(null);
        Integer entity = entityOfTopic.get(message.getTopic().toString());
        if (round == null
                || note == null
                || entity == null
                || note.run() != plan.run()
                || note.round() != round.number()) {
            foreign.increment();
        } else {
            round.received(subscriber, note, entity, now);
        }
    }

    /** Messages that are not of the round in which they came: somebody else's, or too late. */
    long foreign() {
        return foreign.sum();
    }

    private MqttClient keep(MqttClient client) {
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(MqttClient::close);
    }
}
