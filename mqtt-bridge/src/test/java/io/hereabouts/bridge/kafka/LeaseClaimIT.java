package io.hereabouts.bridge.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.EdgeRemoval;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.RemovalPhase;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.testkit.kafka.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseClaimIT {

    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(1);
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final TestKafka KAFKA = TestKafka.start();
    private static final KafkaConnection CONNECTION = KafkaConnection.to(KAFKA.bootstrapServers());

    @BeforeAll
    static void createTopics() throws Exception {
        try (TopicAdmin admin = new TopicAdmin(CONNECTION, TOPICS)) {
            admin.create(TOPICS.fixed());
        }
    }

    @AfterAll
    static void stopKafka() {
        KAFKA.close();
    }

    @Test
    void shouldTakeALeaseForWhichNobodyAnswers() throws Exception {
        try (EdgesLog log = log()) {
            EdgeId edge = EdgeId.of("killed");
            assertThat(LeaseClaim.take(log, edge, lease("first"), AT_ONCE)).isEmpty();
            assertThat(LeaseClaim.take(log, edge, lease("second"), AT_ONCE)).isEqualTo("first");
            log.write(Keys.lease(edge), null);
            assertThat(LeaseClaim.take(log, edge, lease("third"), AT_ONCE)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WITHDRAWING", "DELETING"})
    void shouldNotStartWhileItIsBeingRemoved(RemovalPhase phase) throws Exception {
        EdgeId edge = EdgeId.of("removed-" + phase);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (EdgesLog log = log();
                EdgesLog resolver = log()) {
            resolver.write(Keys.edgeRemoval(edge), removal(phase));
            assertThatIllegalStateException()
                    .isThrownBy(() -> LeaseClaim.take(log, edge, lease("early"), AT_ONCE))
                    .withMessageContaining("edge '" + edge + "' is being removed");

            Future<String> patient = thread.submit(() -> LeaseClaim.take(log, edge, lease("patient"), PATIENT));
            long ended = resolver.write(Keys.edgeRemoval(edge), null);

            assertThat(patient.get()).isEmpty();
            resolver.readToEnd();
            assertThat(resolver.register().lease(edge)).isNotNull().satisfies(lease -> {
                assertThat(lease.run()).isEqualTo("patient");
                assertThat(lease.offset()).isGreaterThan(ended);
            });
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void shouldEndARemovalThatWaitsForOthers() throws Exception {
        EdgeId edge = EdgeId.of("returned");
        try (EdgesLog log = log()) {
            log.write(Keys.edgeRemoval(edge), removal(RemovalPhase.WAITING));
            assertThat(LeaseClaim.take(log, edge, lease("back"), AT_ONCE)).isEmpty();
        }
    }

    /** The order in Kafka decides between those that see no lease and write theirs at the same time. */
    @Test
    void shouldGiveALeaseToOneOfThoseWhoStartTogether() throws Exception {
        int rivals = 3;
        ExecutorService threads = Executors.newFixedThreadPool(rivals);
        List<LeaseWatch> holders = new CopyOnWriteArrayList<>();
        try (KafkaProducer<byte[], byte[]> answers = new KafkaProducer<>(CONNECTION.producer("answers"))) {
            for (int round = 0; round < 5; round++) {
                EdgeId edge = EdgeId.of("rivals-" + round);
                CyclicBarrier start = new CyclicBarrier(rivals);
                List<Future<Boolean>> claims = new ArrayList<>();
                for (int i = 0; i < rivals; i++) {
                    String run = "run-" + i;
                    EdgesLog log = log();
                    log.readToEnd();
                    ProducerRecord<byte[], byte[]> answer =
                            new ProducerRecord<>(TOPICS.edges(), 0, Keys.lease(edge), lease(run));
                    claims.add(threads.submit(() -> {
                        start.await();
                        try {
                            String before = LeaseClaim.take(log, edge, lease(run), AT_ONCE);
                            holders.add(LeaseWatch.start(
                                    log,
                                    edge,
                                    run,
                                    before,
                                    () -> {
                                        var unused = answers.send(answer);
                                    },
                                    (loss, reason) -> {}));
                            return true;
                        } catch (IllegalStateException e) {
                            log.close();
                            assertThat(e).hasMessageContaining("edge '" + edge + "' runs already on host h");
                            return false;
                        }
                    }));
                }
                int taken = 0;
                for (Future<Boolean> claim : claims) {
                    taken += claim.get() ? 1 : 0;
                }
                assertThat(taken).as("round %d", round).isEqualTo(1);
            }
        } finally {
            holders.forEach(LeaseWatch::close);
            threads.shutdownNow();
        }
    }

    private static EdgesLog log() {
        return new EdgesLog(CONNECTION, "test", TOPICS);
    }

    private static byte[] lease(String run) {
        return Framing.encode(new EdgeLease("h", "d", 1, 0L, 1, run));
    }

    private static byte[] removal(RemovalPhase phase) {
        return Framing.encode(new EdgeRemoval(phase.name(), "h"));
    }
}
