package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.router.Router;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An edge of a group that is killed: others have what is new, and what it was handed waits for it, or is counted. */
class SharedKillIT {

    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(3);
    private static final Duration SOON = Duration.ofMinutes(2);
    /** More than a heartbeat. */
    private static final Duration SILENCE = Duration.ofSeconds(12);

    private static final List<String> ENTITIES = GroupMember.entities();
    private static final int ROUND = ENTITIES.size();
    private static final int PER_SECOND = 100;

    /** What was handed over in a commit interval of 1 s, with as much again because the machine may be slow. */
    private static final int REPEATS_OF_A_KILL = PER_SECOND;

    @TempDir
    Path folder;

    private final Started started = new Started();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private KafkaConnection kafka = KafkaConnection.to("unset:1");
    private int sent;

    @BeforeEach
    void startKafkaAndRouter() throws Exception {
        EmbeddedKafka broker = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
        kafka = KafkaConnection.to(broker.bootstrapServers());
        try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
            admin.create(TOPICS.fixed());
        }
        Router router = started.add(Router.launch(
                RouterConfig.builder(kafka, TOPICS).edgeSilence(SILENCE).build(), meters));
        router.awaitRunning(SOON);
    }

    /** An edge that is to be killed and one that is not, each with a member of the group. */
    private record Two(
            ComponentProcess east,
            int eastPort,
            GroupMember atEast,
            int westPort,
            GroupMember atWest,
            TestClient publisher) {}

    /** @param memberAtEast its client id */
    private Two begin(Duration expiry, String memberAtEast) throws Exception {
        startResolver(expiry);
        int eastPort = freePort();
        ComponentProcess east = edge("east", eastPort);
        ComponentProcess west = edge("west", freePort());
        east.awaitReady();
        int westPort = Integer.parseInt(west.awaitReady());
        return new Two(
                east,
                eastPort,
                member(eastPort, memberAtEast),
                westPort,
                member(westPort, "at-west"),
                started.add(TestClient.connect(westPort, "publisher", p -> {})));
    }

    private void startResolver(Duration expiry) throws Exception {
        InMemoryWorld world = started.add(new InMemoryWorld(ResolutionLimits.DEFAULT));
        world.apply(ChangeSet.upsert(TwoEdges.CITY.entities()));
        started.add(Resolver.launch(ResolverConfig.withDefaults(kafka, TOPICS).withEdgeExpiry(expiry), world, meters));
    }

    @AfterEach
    void stopStack() {
        started.close();
    }

    @Test
    void shouldHandWhatIsNewToOthersAndWhatWaitsToTheEdgeThatReturns() throws Exception {
        Two edges = begin(Duration.ofHours(1), "at-east");

        publish(edges.publisher(), 4 * ROUND, () -> {});
        publish(edges.publisher(), 8 * ROUND, edges.east()::kill);
        awaitAllGoTo(edges.atWest(), edges.publisher());
        int before = GroupMember.missing("shared", sent, List.of(edges.atEast(), edges.atWest()))
                .size();
        assertThat(before).as("what east was handed and did not deliver").isPositive();

        edge("east", edges.eastPort()).awaitReady();
        List<GroupMember> both = List.of(edges.atEast(), edges.atWest());
        await().atMost(SOON).untilAsserted(() -> assertThat(GroupMember.missing("shared", sent, both))
                .isEmpty());
        System.out.println("SharedKillIT: " + sent + " publications, " + before + " waited for the edge, "
                + GroupMember.repeated("shared", both).size() + " repeated");
        assertThat(GroupMember.repeated("shared", both)).hasSizeLessThanOrEqualTo(REPEATS_OF_A_KILL);
        assertRepeatsAreKnownByTheirId(both);
        assertThat(edges.atWest().outOfOrder("shared")).isZero();
    }

    @Test
    void shouldHandOnWhatWaitsForAMemberThatHasGoneToAnotherEdge() throws Exception {
        Two edges = begin(Duration.ofHours(1), "moves");
        publish(edges.publisher(), 2 * ROUND, () -> {});
        // at once: what HiveMQ has on disk for a session that goes elsewhere ends with it
        publish(edges.publisher(), 4 * ROUND, () -> {
            edges.atEast().disconnect();
            edges.east().kill();
        });
        awaitAllGoTo(edges.atWest(), edges.publisher());
        assertThat(GroupMember.missing("shared", sent, List.of(edges.atEast(), edges.atWest())))
                .as("what waits for east")
                .isNotEmpty();

        GroupMember moved = member(edges.westPort(), "moves");
        edge("east", edges.eastPort()).awaitReady();

        await().atMost(SOON).untilAsserted(() -> assertThat(
                        GroupMember.missing("shared", sent, List.of(edges.atEast(), edges.atWest(), moved)))
                .isEmpty());
    }

    @Test
    void shouldCountWhatIsLostWithAnEdgeThatDoesNotReturn() throws Exception {
        // longer than the silence of an edge
        Two edges = begin(SILENCE.plusSeconds(8), "at-east");

        publish(edges.publisher(), 4 * ROUND, () -> {});
        publish(edges.publisher(), 4 * ROUND, edges.east()::kill);
        awaitAllGoTo(edges.atWest(), edges.publisher());
        await().atMost(SOON)
                .until(() -> meters.counter("hereabouts.resolver.edges", "outcome", "removed")
                                .count()
                        == 1);
        int missing = GroupMember.missing("shared", sent, List.of(edges.atEast(), edges.atWest()))
                .size();
        assertThat(missing).isPositive();
        assertThat(meters.counter("hereabouts.resolver.deliveries.lost").count())
                .as("and what it had taken in its last second")
                .isBetween((double) missing, (double) missing + REPEATS_OF_A_KILL);
    }

    private void awaitAllGoTo(GroupMember member, TestClient publisher) {
        member.awaitAllOfARound(() -> {
            int from = sent;
            publish(publisher, ROUND, () -> {});
            return IntStream.range(from, sent).boxed().toList();
        });
    }

    private void publish(TestClient publisher, int count, Runnable inTheMiddle) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        long next = System.nanoTime();
        for (int i = 0; i < count; i++, sent++) {
            if (i == count / 2) {
                inTheMiddle.run();
            }
            answers.add(publisher.publish("t", 1, String.valueOf(sent), ENTITIES.get(sent % ROUND)));
            next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        answers.forEach(answer -> assertThat(answer.join()).isEqualTo(new Answer(0, "")));
    }

    private static void assertRepeatsAreKnownByTheirId(List<GroupMember> members) {
        Map<Integer, String> ids = new HashMap<>();
        members.forEach(member -> member.received.forEach(publish -> {
            String id = String.valueOf(TestClient.userProperty(publish, "publication-id"));
            assertThat(ids.merge(GroupMember.number(publish), id, (one, other) -> one))
                    .isEqualTo(id);
        }));
    }

    private GroupMember member(int port, String id) {
        return started.add(
                new GroupMember(port, id, 3_600).subscribe("$share/g/t", 1, GroupMember.ELSEWHERE, "shared"));
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private ComponentProcess edge(String id, int port) {
        return started.add(ComponentProcess.edge(kafka, id, port, folder.resolve(id)));
    }
}
