package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Subscribed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ten clients of two edges with overlapping neighborhoods, and publishers of what the city's detectors say. What is expected
 * comes from the oracle. Takes over the publishers.
 */
final class CityLoad implements AutoCloseable {

    private static final int CLIENTS = 10;

    final Oracle oracle;
    final List<String> detectors;
    final List<Publisher> publishers;
    final AtomicInteger numbers = new AtomicInteger();
    private final Random random;
    private final Callable<Map<String, Long>> drops;
    private final List<TestClient> clients = new ArrayList<>();
    private volatile @Nullable Round current;

    /**
     * Connects and subscribes.
     *
     * @param ports of the edges
     * @param publishers who publish in turn
     * @param drops what the edges have dropped so far at QoS 1 and 2, by reason, copies only
     */
    CityLoad(
            SeededCity city,
            CityClients.Weight weight,
            long seed,
            int[] ports,
            List<Publisher> publishers,
            Callable<Map<String, Long>> drops)
            throws Exception {
        this.publishers = List.copyOf(publishers);
        this.random = new Random(seed);
        this.drops = drops;
        CityClients who = new CityClients(city, CLIENTS, CityLoad::qos, weight);
        this.detectors = who.entities();
        DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);
        Map<Subscribed, String> subscriptions = who.subscriptions(descriptor -> parsed(parser, descriptor));
        this.oracle = new Oracle(city.entities(), subscriptions.keySet());
        try {
            for (int c = 0; c < CLIENTS; c++) {
                int client = c;
                clients.add(TestClient.connect(ports[c % ports.length], CityClients.name(c), p -> received(client, p)));
            }
            subscriptions.forEach(this::subscribe);
        } catch (RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    /** Begins to publish, with new books. */
    Round begin(int perSecond) throws Exception {
        Round round = new Round(this, new Random(random.nextLong()), perSecond, drops);
        current = round;
        round.start();
        return round;
    }

    /** Those of edges in this process. What Kafka did not take was no copy, and its publisher has no PUBACK. */
    static Map<String, Long> drops(MeterRegistry metrics) {
        Map<String, Long> drops = new HashMap<>();
        for (Counter counter : metrics.find("hereabouts.edge.dropped").counters()) {
            String reason = String.valueOf(counter.getId().getTag("reason"));
            if (!reason.equals("kafka") && !"0".equals(counter.getId().getTag("qos"))) {
                drops.merge(reason, (long) counter.count(), Long::sum);
            }
        }
        return drops;
    }

    private void subscribe(Subscribed s, String descriptor) {
        TestClient client = clients.get(CityClients.number(s.client()));
        Answer answer = descriptor.isEmpty()
                ? client.subscribe(s.topicFilter(), s.qos(), null, null).join()
                : client.subscribe(s.topicFilter(), s.qos(), descriptor, s.neighborhoodId())
                        .join();
        assertThat(answer).isEqualTo(new Answer(s.qos(), ""));
    }

    private void received(int client, Mqtt5Publish publish) {
        Round round = current;
        if (round == null) {
            throw new IllegalStateException("a publication came before any was published");
        }
        List<String> neighborhoods = publish.getUserProperties().asList().stream()
                .filter(p -> p.getName().toString().equals("neighborhood-id"))
                .map(p -> p.getValue().toString())
                .toList();
        round.delivered(Delivered.of(
                new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8),
                CityClients.name(client),
                neighborhoods,
                publish.getQos().getCode()));
    }

    /** Of half of the clients 1, of the others 2. */
    private static int qos(int client) {
        return 1 + client % 2;
    }

    /** The name of a publisher. */
    static String publisher(int number) {
        return "publisher-" + number;
    }

    private static NeighborhoodDescriptor parsed(DescriptorParser parser, String descriptor) {
        try {
            return parser.parse(descriptor);
        } catch (InvalidDescriptorException e) {
            throw new IllegalStateException(descriptor, e);
        }
    }

    @Override
    public void close() {
        publishers.forEach(Publisher::close);
        clients.forEach(TestClient::close);
    }
}
