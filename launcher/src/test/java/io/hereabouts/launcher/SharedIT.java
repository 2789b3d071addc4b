package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.bridge.Edge;
import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.CompactedView;
import io.hereabouts.launcher.kafka.Explanation;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Shared subscriptions with a neighborhood, of real clients on two edges and more. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedIT {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int PER_SECOND = 250;
    private static final List<String> ENTITIES = GroupMember.entities();

    @TempDir
    static Path folder;

    private TwoEdges stack;
    private Started clients = new Started();
    private TestClient publisher;
    private int sent;

    @BeforeAll
    void startStack() throws Exception {
        stack = new TwoEdges(folder);
    }

    @AfterAll
    void stopStack() {
        stack.close();
    }

    @BeforeEach
    void connectPublisher() {
        clients = new Started();
        publisher = clients.add(TestClient.connect(stack.west.port(), "publisher", p -> {}));
        sent = 0;
    }

    @AfterEach
    void disconnectAll() {
        clients.close();
    }

    private GroupMember member(Edge edge, String id, long sessionSeconds) {
        return clients.add(new GroupMember(edge.port(), id, sessionSeconds));
    }

    /** At a steady rate, in turn about all entities; returns when all are acknowledged. */
    private void publish(String topic, int count) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        long next = System.nanoTime();
        for (int i = 0; i < count; i++, sent++) {
            String entity = ENTITIES.get(sent % ENTITIES.size());
            answers.add(publisher.publish(topic, 1, String.valueOf(sent), entity));
            next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        answers.forEach(answer -> assertThat(answer.join()).isEqualTo(new Answer(0, "")));
    }

    private void assertNothingMissing(String neighborhoodId, List<GroupMember> members) {
        await().atMost(SOON).untilAsserted(() -> assertThat(GroupMember.missing(neighborhoodId, sent, members))
                .isEmpty());
    }

    @Test
    void shouldDeliverEachToOneMemberWhileMembersComeAndGo() throws Exception {
        double before = stack.count("hereabouts.edge.handed.on", "to", "edge");
        GroupMember east1 =
                member(stack.east, "come-east-1", 0).subscribe("$share/g/come/#", 1, GroupMember.ELSEWHERE, "shared");
        GroupMember east2 =
                member(stack.east, "come-east-2", 0).subscribe("$share/g/come/#", 1, GroupMember.ELSEWHERE, "shared");
        GroupMember west1 = member(stack.west, "come-west-1", 0)
                .subscribe("$share/g/come/#", 1, GroupMember.ELSEWHERE, "shared")
                .subscribe("come/#", 1, GroupMember.ELSEWHERE, "own");
        publish("come/a", 200);
        CompletableFuture<Void> leaves = CompletableFuture.runAsync(() -> east2.unsubscribe("$share/g/come/#"));
        publish("come/a", 100);
        leaves.join();
        GroupMember west2 =
                member(stack.west, "come-west-2", 0).subscribe("$share/g/come/#", 1, GroupMember.ELSEWHERE, "shared");
        publish("come/b", 100);
        CompletableFuture<Void> returns = CompletableFuture.runAsync(
                () -> east2.subscribe("$share/g/come/#", 1, GroupMember.ELSEWHERE, "shared"));
        publish("come/b", 100);
        returns.join();
        CompletableFuture<Void> ends = CompletableFuture.runAsync(west2::disconnect);
        publish("come/a", 200);
        ends.join();

        List<GroupMember> all = List.of(east1, east2, west1, west2);
        assertNothingMissing("shared", all);
        assertThat(all).allSatisfy(m -> assertThat(m.numbers("shared")).hasSizeGreaterThan(20));
        Set<Integer> leavers = new HashSet<>(west2.numbers("shared"));
        assertThat(GroupMember.repeated("shared", all))
                .as("what a member that disconnected had not acknowledged")
                .hasSizeLessThan(20)
                .allMatch(leavers::contains);
        int disorder = all.stream().mapToInt(m -> m.outOfOrder("shared")).sum();
        assertThat(disorder)
                .as("only what was handed on may come behind later ones")
                .isLessThanOrEqualTo((int) (stack.count("hereabouts.edge.handed.on", "to", "edge") - before));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(west1.numbers("own")).hasSize(sent));
        assertThat(west1.numbers("own")).doesNotHaveDuplicates();
        assertThat(west1.outOfOrder("own")).isZero();
    }

    @Test
    void shouldLoseNothingWhenTheLastMemberOfAnEdgeLeaves() throws Exception {
        GroupMember stays =
                member(stack.east, "last-stays", 0).subscribe("$share/g/last", 1, GroupMember.ELSEWHERE, "shared");
        List<GroupMember> all = new ArrayList<>(List.of(stays));
        Set<Integer> leavers = new HashSet<>();
        for (int round = 0; round < 4; round++) {
            GroupMember leaves = member(stack.west, "last-leaves-" + round, 0)
                    .subscribe("$share/g/last", 1, GroupMember.ELSEWHERE, "shared");
            all.add(leaves);
            publish("last", 60);
            boolean politely = round % 2 == 0;
            CompletableFuture<Void> ends = CompletableFuture.runAsync(
                    politely ? () -> leaves.unsubscribe("$share/g/last") : leaves::disconnect);
            publish("last", 60);
            ends.join();
            assertThat(leaves.numbers("shared")).isNotEmpty();
        }
        assertNothingMissing("shared", all);
        all.subList(1, all.size()).forEach(m -> leavers.addAll(m.numbers("shared")));
        assertThat(GroupMember.repeated("shared", all)).hasSizeLessThan(20).allMatch(leavers::contains);
    }

    @Test
    void shouldLoseNothingWhenAnEdgeStops() throws Exception {
        Edge north = stack.edge("north", stack.kafka);
        GroupMember there =
                member(north, "stop-there", 3_600).subscribe("$share/g/stop", 1, GroupMember.ELSEWHERE, "shared");
        GroupMember here =
                member(stack.west, "stop-here", 0).subscribe("$share/g/stop", 1, GroupMember.ELSEWHERE, "shared");
        publish("stop", 100);
        CompletableFuture<Void> stops = CompletableFuture.runAsync(north::close);
        publish("stop", 500);
        stops.join();
        assertNothingMissing("shared", List.of(there, here));
        assertThat(there.numbers("shared")).isNotEmpty();
        Set<Integer> gone = new HashSet<>(there.numbers("shared"));
        assertThat(GroupMember.repeated("shared", List.of(there, here))).allMatch(gone::contains);
    }

    @Test
    void shouldKeepForMembersThatAreAwayWhatNobodyElseCanHave() {
        GroupMember east =
                member(stack.east, "away-east", 3_600).subscribe("$share/g/away", 1, GroupMember.ELSEWHERE, "shared");
        GroupMember west =
                member(stack.west, "away-west", 3_600).subscribe("$share/g/away", 1, GroupMember.ELSEWHERE, "shared");
        east.disconnect();
        await().atMost(SOON).until(() -> !east.client.getState().isConnected());
        west.awaitAllOfARound(() -> {
            int from = sent;
            publish("away", ENTITIES.size());
            return IntStream.range(from, sent).boxed().toList();
        });
        west.disconnect();
        publish("away", 100);
        east.connect();
        west.connect();
        assertNothingMissing("shared", List.of(east, west));
        assertThat(GroupMember.repeated("shared", List.of(east, west))).isEmpty();
    }

    @Test
    void shouldFollowTheRulesOfMqttForSharedSubscriptions() throws Exception {
        assertThat(publisher.publish("rules", 1, "0", ENTITIES.get(0)).join()).isEqualTo(new Answer(0, ""));
        retain("rules", "1", ENTITIES.get(1));
        GroupMember member = member(stack.east, "rules-member", 0);
        member.client
                .subscribe(Mqtt5Subscribe.builder()
                        .topicFilter("$share/g/rules")
                        .qos(MqttQos.AT_MOST_ONCE)
                        .userProperties(Mqtt5UserProperties.builder()
                                .add("neighborhood", GroupMember.ELSEWHERE)
                                .add("neighborhood-id", "shared")
                                .build())
                        .build())
                .join();
        GroupMember witness =
                member(stack.east, "rules-witness", 0).subscribe("rules", 1, GroupMember.ELSEWHERE, "own");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(witness.numbers("own")).containsExactly(1));
        assertThat(publisher.publish("rules", 1, "2", ENTITIES.get(0)).join()).isEqualTo(new Answer(0, ""));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(member.numbers("shared")).isNotEmpty());
        assertThat(member.numbers("shared")).as("nothing that is retained").containsExactly(2);
        assertThat(member.received.get(0).getQos()).isEqualTo(MqttQos.AT_MOST_ONCE);
        assertThat(member.received.get(0).getTopic()).hasToString("rules");

        member.unsubscribe("$share/g/rules");
        assertThat(publisher.publish("rules", 1, "3", ENTITIES.get(0)).join()).isEqualTo(new Answer(0, ""));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(witness.numbers("own")).contains(3));
        assertThat(member.numbers("shared")).containsExactly(2);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(CompactedView.of(stack.kafka, TwoEdges.TOPICS.subscriptions())
                                .keySet())
                        .noneMatch(key -> key.contains("rules-member")));
    }

    private void retain(String topic, String payload, String entity) throws Exception {
        GroupMember retains = member(stack.west, "retains", 0);
        retains.client
                .publish(Mqtt5Publish.builder()
                        .topic(topic)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .retain(true)
                        .payload(payload.getBytes(StandardCharsets.UTF_8))
                        .userProperties(Mqtt5UserProperties.builder()
                                .add("entity", entity)
                                .build())
                        .build())
                .get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldLetHivemqShareWhatIsPlain() {
        GroupMember one = member(stack.west, "plain-1", 0);
        GroupMember two = member(stack.west, "plain-2", 0);
        for (GroupMember each : List.of(one, two)) {
            each.client
                    .subscribeWith()
                    .topicFilter("$share/g/plain")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send()
                    .join();
        }
        for (int i = 0; i < 50; i++) {
            assertThat(publisher.publish("plain", 1, String.valueOf(i)).join()).isEqualTo(new Answer(0, ""));
        }
        await().atMost(SOON).until(() -> one.received.size() + two.received.size() == 50);
        Set<Integer> numbers = new HashSet<>();
        one.received.forEach(p -> numbers.add(GroupMember.number(p)));
        two.received.forEach(p -> numbers.add(GroupMember.number(p)));
        assertThat(numbers).hasSize(50);
        assertThat(one.received).isNotEmpty();
        assertThat(two.received).isNotEmpty();
    }

    @Test
    void shouldShareWithMosquittoAndTellAndExplainIt() throws Exception {
        Process mosquitto = clients.add(new Running(new ProcessBuilder(
                                "stdbuf",
                                "-oL",
                                "mosquitto_sub",
                                "-V",
                                "5",
                                "-p",
                                String.valueOf(stack.east.port()),
                                "-i",
                                "mosquitto",
                                "-q",
                                "1",
                                "-t",
                                "$share/g/real/#",
                                "-t",
                                "$hereabouts/neighborhoods/#",
                                "-F",
                                "%t %p",
                                "-d",
                                "-D",
                                "subscribe",
                                "user-property",
                                "neighborhood",
                                GroupMember.ELSEWHERE,
                                "-D",
                                "subscribe",
                                "user-property",
                                "neighborhood-id",
                                "real")
                        .redirectErrorStream(true)
                        .start()))
                .process();
        List<String> lines = new java.util.concurrent.CopyOnWriteArrayList<>();
        var unused =
                CompletableFuture.runAsync(() -> mosquitto.inputReader().lines().forEach(lines::add));
        await().atMost(SOON).until(() -> lines.stream().anyMatch(line -> line.startsWith("Subscribed")));
        GroupMember member =
                member(stack.west, "real-west", 0).subscribe("$share/g/real/#", 1, GroupMember.ELSEWHERE, "real");
        publish("real/x", 100);
        await().atMost(SOON)
                .until(() -> numbersOf(lines).size() + member.numbers("real").size() >= sent);
        assertThat(numbersOf(lines)).isNotEmpty().doesNotContainAnyElementsOf(member.numbers("real"));
        assertThat(lines).anyMatch(line -> line.startsWith("$hereabouts/neighborhoods/real {\"neighborhood\""));

        int east = 0;
        for (String entity : ENTITIES) {
            boolean says = explains("mosquitto", entity);
            assertThat(explains("real-west", entity)).isNotEqualTo(says);
            assertThat(numbersOf(lines).contains(ENTITIES.indexOf(entity))).isEqualTo(says);
            east += says ? 1 : 0;
        }
        assertThat(east).isPositive();
    }

    private boolean explains(String client, String entity) throws Exception {
        List<Explanation.Path> paths = Explanation.of(
                stack.kafka,
                TwoEdges.TOPICS,
                client,
                EntityId.of(entity),
                TopicName.parse("real/x"),
                Clock.systemUTC());
        assertThat(paths).hasSize(1);
        return paths.get(0).steps().stream()
                .filter(step -> step.text().contains("of group g"))
                .findFirst()
                .orElseThrow()
                .holds();
    }

    private static List<Integer> numbersOf(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("real/x "))
                .map(line -> Integer.parseInt(line.substring("real/x ".length())))
                .toList();
    }

    /** Ends with the test. */
    private record Running(Process process) implements AutoCloseable {
        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
