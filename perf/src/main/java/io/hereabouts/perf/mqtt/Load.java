package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttTopic;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Result;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One publisher and its subscribers on one broker, connected from {@link #open} until closed; every subscriber is to get
 * what it wants. Rounds are published by the thread that asks for them, one at a time.
 */
final class Load implements AutoCloseable {

    private static final Duration STALL = Duration.ofSeconds(30);

    /**
     * What is published and to whom.
     *
     * @param topicPrefix of this run's messages only
     * @param entities one topic name each, which ends with the number of the entity
     * @param spatial whether messages say their entity
     * @param seed of the order of entities
     */
    record Plan(
            long run,
            String topicPrefix,
            List<String> entities,
            boolean spatial,
            List<Subscriber> subscribers,
            int qos,
            int payload,
            long seed) {

        Plan {
            subscribers = List.copyOf(subscribers);
        }

        /** How many subscribers want the messages of an entity. */
        int copies(int entity) {
            return (int)
                    subscribers.stream().filter(s -> s.wants().test(entity)).count();
        }
    }

    /**
     * Who is to get something.
     *
     * @param topicFilters what it subscribes to
     * @param descriptor of the neighborhood to subscribe to; null for none
     * @param wants whether it is to get the messages of this entity
     * @param sorts whether it throws away what it does not want; if not, that must not come
     */
    record Subscriber(List<String> topicFilters, @Nullable String descriptor, IntPredicate wants, boolean sorts) {}

    private record Template(MqttTopic topic, Mqtt5UserProperties properties, int copies) {}

    private final Plan plan;
    private final List<Template> templates = new ArrayList<>();
    private final List<MqttClient> clients = new ArrayList<>();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder thrownAway = new LongAdder();
    private final Random random;
    private int rounds;
    private volatile @Nullable Round current;

    private Load(Plan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        for (String entity : plan.entities()) {
            int number = templates.size();
            templates.add(new Template(
                    MqttTopic.of(plan.topicPrefix() + "/" + number),
                    plan.spatial() ? MqttClient.about(entity) : Mqtt5UserProperties.of(),
                    plan.copies(number)));
        }
    }

    /** Connects and subscribes. */
    static Load open(MqttAddress broker, Plan plan) throws MeasurementException, InterruptedException {
        Load load = new Load(plan);
        try {
            String name = plan.topicPrefix().replace('/', '-');
            for (int s = 0; s < plan.subscribers().size(); s++) {
                int number = s;
                Subscriber subscriber = plan.subscribers().get(s);
                MqttClient client =
                        load.keep(MqttClient.connect(broker, name + "-" + s, m -> load.received(number, m)));
                for (String topicFilter : subscriber.topicFilters()) {
                    MqttClient.Answer answer =
                            client.subscribe(topicFilter, plan.qos(), subscriber.descriptor(), "perf");
                    if (answer.refused()) {
                        throw new MeasurementException("SUBSCRIBE was refused: " + answer.refusal());
                    }
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
            publish(round, next(), n, due);
        }
        round.await();
        return round;
    }

    /** Closed loop: as fast as copies arrive, with so many messages on their way. */
    Round asFastAsItGoes(int window, Duration duration) throws MeasurementException, InterruptedException {
        Round round = begin(
                window * templates.stream().mapToInt(Template::copies).max().orElseThrow());
        long end = System.nanoTime() + duration.toNanos();
        for (int n = 0; System.nanoTime() < end; n++) {
            Template template = next();
            if (!round.window().tryAcquire(template.copies(), STALL.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new MeasurementException("copies stay away: " + round.delivered() + " of " + round.expected());
            }
            publish(round, template, n, System.nanoTime());
        }
        round.await();
        return round;
    }

    private Round begin(int window) {
        Round round = new Round(rounds++, plan.subscribers().size(), templates.size(), window);
        current = round;
        return round;
    }

    private Template next() {
        return templates.get(random.nextInt(templates.size()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are counted
    private void publish(Round round, Template template, int sequence, long due) {
        Note note = new Note(plan.run(), round.number(), sequence, due);
        round.published(template.copies());
        clients.get(plan.subscribers().size())
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
        int entity = entity(message.getTopic().toString());
        Subscriber whose = plan.subscribers().get(subscriber);
        if (entity >= 0 && whose.sorts() && !whose.wants().test(entity)) {
            thrownAway.increment();
            return;
        }
        Note note = Note.of(message.getPayloadAsBytes()).orElse(null);
        if (round == null
                || note == null
                || entity < 0
                || !whose.wants().test(entity)
                || note.run() != plan.run()
                || note.round() != round.number()) {
            foreign.increment();
        } else {
            round.received(subscriber, note, entity, now);
        }
    }

    /** The entity of a topic name of ours; -1 for another one. */
    private int entity(String topic) {
        if (!topic.startsWith(plan.topicPrefix())) {
            return -1;
        }
        try {
            int entity = Integer.parseInt(topic, topic.lastIndexOf('/') + 1, topic.length(), 10);
            return entity < templates.size() ? entity : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Copies that came to those who sort themselves and do not want them, since the beginning. */
    long thrownAway() {
        return thrownAway.sum();
    }

    /** Adds the books of rounds of this load. */
    void book(String name, List<Round> rounds, Result.Builder result) {
        result.book(name + ": acknowledged", sum(rounds, Round::published), sum(rounds, Round::acknowledged))
                .book(name + ": copies delivered", sum(rounds, Round::expected), sum(rounds, Round::delivered))
                .book(name + ": copies repeated", 0, sum(rounds, Round::repeats))
                .book(name + ": copies out of order", 0, sum(rounds, Round::disordered))
                .book(name + ": copies of others, or late", 0, foreign());
    }

    private static long sum(List<Round> rounds, ToLongFunction<Round> of) {
        return rounds.stream().mapToLong(of).sum();
    }

    /** Messages that are not of the round in which they came, or not wanted: somebody else's, or too late. */
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
