package io.hereabouts.perf.ledger;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.mqtt.MqttClient;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Clients of all edges with overlapping neighborhoods, a third each at QoS 0, 1 and 2, and publishers of each QoS on each
 * edge, all with sessions that outlive their connections. What is expected comes from the oracle.
 */
final class LedgerLoad implements AutoCloseable {

    private static final int QOS = 3;
    private static final int CLIENTS = 12;
    private static final UserPropertyNames NAMES = UserPropertyNames.DEFAULT;

    private final Oracle oracle;
    private final List<String> entities;
    private final Random random;
    private final List<MqttClient> clients = new ArrayList<>();
    private final List<Publisher> publishers = new ArrayList<>();
    private final BitSet[] came = new BitSet[CLIENTS];
    private final AtomicLong sessionsLost = new AtomicLong();
    private final AtomicLongArray lateRepeats = new AtomicLongArray(QOS);
    private final AtomicLong late = new AtomicLong();
    private volatile long lastArrival = System.nanoTime();
    private volatile Page page;
    private int next;

    private LedgerLoad(SeededCity city, long seed, CityClients who, Map<Subscribed, String> subscriptions) {
        this.random = new Random(seed);
        this.entities = who.entities();
        this.oracle = new Oracle(city.entities(), subscriptions.keySet());
        this.page = new Page(oracle, 0);
        for (int c = 0; c < CLIENTS; c++) {
            came[c] = new BitSet();
        }
    }

    /** Connects and subscribes. */
    static LedgerLoad open(SeededCity city, long seed, List<MqttAddress> edges)
            throws MeasurementException, InterruptedException {
        CityClients who = new CityClients(city, CLIENTS, c -> c / edges.size() % QOS, CityClients.Weight.FULL);
        Map<Subscribed, String> subscriptions = who.subscriptions(LedgerLoad::parsed);
        LedgerLoad load = new LedgerLoad(city, seed, who, subscriptions);
        try {
            for (int c = 0; c < CLIENTS; c++) {
                load.clients.add(load.client(edges.get(edgeOf(c, edges.size())), c));
            }
            for (Map.Entry<Subscribed, String> entry : subscriptions.entrySet()) {
                load.subscribe(entry.getKey(), entry.getValue());
            }
            for (int p = 0; p < QOS * edges.size(); p++) {
                load.publishers.add(Publisher.connect(
                        edges.get(p % edges.size()),
                        "publisher-" + p,
                        p / edges.size(),
                        load.sessionsLost::incrementAndGet));
            }
            return load;
        } catch (MeasurementException | RuntimeException | InterruptedException e) {
            load.close();
            throw e;
        }
    }

    private MqttClient client(MqttAddress edge, int number) throws MeasurementException, InterruptedException {
        return MqttClient.connectForGood(
                edge, CityClients.name(number), m -> received(number, m), new MqttClient.Session() {
                    @Override
                    public void connected(boolean sessionPresent) {
                        if (!sessionPresent) {
                            sessionsLost.incrementAndGet();
                        }
                    }

                    @Override
                    public void disconnected() {
                        // it connects again
                    }
                });
    }

    private void subscribe(Subscribed s, String descriptor) throws MeasurementException, InterruptedException {
        MqttClient.Answer answer = clients.get(CityClients.number(s.client()))
                .subscribe(s.topicFilter(), s.qos(), descriptor.isEmpty() ? null : descriptor, s.neighborhoodId());
        if (answer.refused()) {
            throw new MeasurementException("SUBSCRIBE was refused: " + answer.refusal());
        }
    }

    private static NeighborhoodDescriptor parsed(String descriptor) {
        try {
            return new DescriptorParser(DescriptorLimits.DEFAULT).parse(descriptor);
        } catch (InvalidDescriptorException e) {
            throw new IllegalStateException(descriptor, e);
        }
    }

    /** The edge of a client or publisher. */
    private static int edgeOf(int number, int edges) {
        return number % edges;
    }

    /** Whether the client of this name is one of this edge. */
    static boolean isOf(String client, int edge, int edges) {
        return edgeOf(CityClients.number(client), edges) == edge;
    }

    /** Begins a new page; nothing of the last one is to be under way. For the thread that publishes. */
    Page turn() {
        page = new Page(oracle, next);
        return page;
    }

    /** Publishes the next message of whoever's turn it is. For the thread that publishes. */
    void publish() {
        int number = next++;
        Publisher by = publishers.get(number % publishers.size());
        Published publication;
        do {
            publication = new Published(
                    String.valueOf(number),
                    by.name(),
                    CityClients.topic(random),
                    entities.get(random.nextInt(entities.size())),
                    by.qos());
            // of QoS 0 all are somebody's: edges count those that they cannot take, whoever wants them
        } while (by.qos() == 0 && oracle.expect(publication).isEmpty());
        Page current = page;
        current.publishing(publication);
        by.publish(current, number, publication.topic(), String.valueOf(publication.entity()));
    }

    /** Concludes what time tells. For any thread. */
    void conclude() {
        long now = System.nanoTime();
        publishers.forEach(p -> p.conclude(now));
    }

    /** Whether every publisher knows all that it will ever know. */
    boolean isAnswered() {
        return publishers.stream().allMatch(Publisher::isDone);
    }

    private void received(int client, Mqtt5Publish message) {
        lastArrival = System.nanoTime();
        int number = Integer.parseInt(new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8));
        int qos = message.getQos().getCode();
        Page current = page;
        if (number < current.first()) {
            if (isNew(client, number)) {
                late.incrementAndGet();
            } else {
                lateRepeats.incrementAndGet(qos);
            }
            return;
        }
        if (current.delivered(
                number,
                Delivered.of(
                        String.valueOf(number), CityClients.name(client), all(message, NAMES.neighborhoodId()), qos),
                String.join(",", all(message, NAMES.publicationId())))) {
            isNew(client, number);
        }
    }

    private boolean isNew(int client, int number) {
        synchronized (came[client]) {
            boolean isNew = !came[client].get(number);
            came[client].set(number);
            return isNew;
        }
    }

    private static List<String> all(Mqtt5Publish message, String property) {
        return message.getUserProperties().asList().stream()
                .filter(p -> p.getName().toString().equals(property))
                .map(p -> p.getValue().toString())
                .toList();
    }

    /** When anything came last, as {@link System#nanoTime}. */
    long lastArrival() {
        return lastArrival;
    }

    /** Publications so far. */
    int published() {
        return next;
    }

    /** Clients that came back to a session that was not there any more. */
    long sessionsLost() {
        return sessionsLost.get();
    }

    /** Copies that came a first time after their page was closed: of publications in doubt, or counted as dropped. */
    long late() {
        return late.get();
    }

    /** Copies of this QoS that came again after their page was closed. */
    long lateRepeats(int qos) {
        return lateRepeats.get(qos);
    }

    @Override
    public void close() {
        publishers.forEach(Publisher::close);
        clients.forEach(MqttClient::close);
    }
}
