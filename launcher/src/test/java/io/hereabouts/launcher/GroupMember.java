package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.testkit.city.SeededCity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A client that shares a subscription, and what it is handed: numbers as payloads, in its order. */
final class GroupMember implements AutoCloseable {

    private static final SeededCity CITY = TwoEdges.CITY;

    /** All zones that do not touch the central one: {@link #entities()}. */
    static final String ELSEWHERE = "{\"stages\":[{\"references\":[\"" + CITY.centralZone()
            + "\"],\"categories\":[\"zone\"],\"where\":{\"relation\":\"disjoint\"}}]}";

    final String id;
    final List<Mqtt5Publish> received = new CopyOnWriteArrayList<>();
    final Mqtt5AsyncClient client;
    private final long sessionSeconds;

    /** @param sessionSeconds how long its session outlives a connection */
    GroupMember(int port, String id, long sessionSeconds) {
        this.id = id;
        this.sessionSeconds = sessionSeconds;
        this.client = TestClient.returning(port, id);
        client.publishes(MqttGlobalPublishFilter.ALL, received::add);
        connect();
    }

    void connect() {
        client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(sessionSeconds)
                .send()
                .join();
    }

    GroupMember subscribe(String filter, int qos, String descriptor, String neighborhoodId) {
        assertThat(client.subscribe(Mqtt5Subscribe.builder()
                                .topicFilter(filter)
                                .qos(Objects.requireNonNull(MqttQos.fromCode(qos)))
                                .userProperties(Mqtt5UserProperties.builder()
                                        .add("neighborhood", descriptor)
                                        .add("neighborhood-id", neighborhoodId)
                                        .build())
                                .build())
                        .join()
                        .getReasonCodes()
                        .get(0)
                        .getCode())
                .isEqualTo(qos);
        return this;
    }

    void unsubscribe(String filter) {
        client.unsubscribeWith().topicFilter(filter).send().join();
    }

    void disconnect() {
        client.disconnect().join();
    }

    /** What came by a neighborhood-id, in order. */
    List<Integer> numbers(String neighborhoodId) {
        return received.stream()
                .filter(p -> neighborhoodId.equals(TestClient.userProperty(p, "neighborhood-id")))
                .map(GroupMember::number)
                .toList();
    }

    static int number(Mqtt5Publish publish) {
        return Integer.parseInt(TwoEdges.text(publish));
    }

    /** How often each number came to any of them. */
    static Map<Integer, Integer> counts(String neighborhoodId, Collection<GroupMember> members) {
        Map<Integer, Integer> counts = new TreeMap<>();
        members.forEach(m -> m.numbers(neighborhoodId).forEach(n -> counts.merge(n, 1, Integer::sum)));
        return counts;
    }

    /** The numbers below this one that nobody has. */
    static Set<Integer> missing(String neighborhoodId, int sent, Collection<GroupMember> members) {
        Set<Integer> missing = IntStream.range(0, sent).boxed().collect(Collectors.toCollection(TreeSet::new));
        missing.removeAll(counts(neighborhoodId, members).keySet());
        return missing;
    }

    /** The numbers that came more than once. */
    static Set<Integer> repeated(String neighborhoodId, Collection<GroupMember> members) {
        return counts(neighborhoodId, members).entrySet().stream()
                .filter(count -> count.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How often a number came after a later one about the same entity. */
    int outOfOrder(String neighborhoodId) {
        Map<String, Integer> last = new HashMap<>();
        int count = 0;
        for (Mqtt5Publish publish : received) {
            if (neighborhoodId.equals(TestClient.userProperty(publish, "neighborhood-id"))) {
                String entity = String.valueOf(TestClient.userProperty(publish, "entity"));
                int number = number(publish);
                if (number < last.merge(entity, number, Math::max)) {
                    count++;
                }
            }
        }
        return count;
    }

    /** Publishes rounds until it has all of one. */
    void awaitAllOfARound(Supplier<List<Integer>> publish) {
        List<Integer> round = new ArrayList<>();
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    if (!round.isEmpty() && numbers("shared").containsAll(round)) {
                        return true;
                    }
                    round.clear();
                    round.addAll(publish.get());
                    return false;
                });
    }

    /** What {@link #ELSEWHERE} has in it. */
    static List<String> entities() {
        List<PhysicalEntity> zones = CITY.entities().stream()
                .filter(entity -> entity.id().value().startsWith("zone/"))
                .toList();
        PhysicalEntity central = zones.stream()
                .filter(zone -> zone.id().value().equals(CITY.centralZone()))
                .findFirst()
                .orElseThrow();
        return zones.stream()
                .filter(zone -> zone.geometry().disjoint(central.geometry()))
                .map(zone -> zone.id().value())
                .toList();
    }

    @Override
    public void close() {
        client.disconnect().exceptionally(e -> null).join();
    }
}
