package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Kills router processes (SIGKILL) at random moments around a commit, after an interest was reported as applied. The
 * control does the same with the load switched off and must miss: it shows that these kills can find a miss.
 */
class RouterKillIT {

    private static final int KILLS = Integer.getInteger("hereabouts.router.kills", 10);
    private static final int CONTROL_KILLS = 3;
    private static final int CONTROL_ATTEMPTS = 5;
    private static final int CHECK_EVERY = 10;
    private static final Duration START = Duration.ofSeconds(60);

    private static TestKafka broker;
    private static KafkaConnection kafka;

    @BeforeAll
    static void start() {
        broker = TestKafka.start(Map.of(
                "group.min.session.timeout.ms", "500",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"));
        kafka = KafkaConnection.to(broker.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldMissNothingThatWasReportedAsApplied() throws Exception {
        try (Trial trial = run("kill.", KILLS, true, Guarantee.AT_LEAST_ONCE)) {
            System.out.println("RouterKillIT: kills " + KILLS + ", " + trial.figures());
            assertThat(trial.missed()).isEmpty();
            trial.assertNothingOutsideFilters();
        }
    }

    @Test
    void shouldMissNothingUnderExactlyOnce() throws Exception {
        try (Trial trial = run("exactly.", CONTROL_KILLS, true, Guarantee.EXACTLY_ONCE)) {
            System.out.println("RouterKillIT exactly_once_v2: kills " + CONTROL_KILLS + ", " + trial.figures());
            assertThat(trial.missed()).isEmpty();
            trial.assertNothingOutsideFilters();
            assertThat(trial.edge().book().repeats()).isZero();
        }
    }

    @Test
    void shouldMissWithoutTheLoad() throws Exception {
        int missed = 0;
        // about one kill in two misses something, so three of them may all be lucky
        for (int attempt = 1; attempt <= CONTROL_ATTEMPTS && missed == 0; attempt++) {
            try (Trial trial = run("control" + attempt + ".", CONTROL_KILLS, false, Guarantee.AT_LEAST_ONCE)) {
                System.out.println(
                        "RouterKillIT control, load switched off: kills " + CONTROL_KILLS + ", " + trial.figures());
                missed = trial.missed().size();
            }
        }
        assertThat(missed).isPositive();
    }

    private static Trial run(String prefix, int kills, boolean loads, Guarantee guarantee) throws Exception {
        long seed = Long.getLong("hereabouts.router.seed", new Random().nextLong());
        System.out.println("RouterKillIT: random seed " + seed);
        TopicCatalogue topics = new TopicCatalogue(prefix, 4, (short) 1, Duration.ofHours(1));
        Trial trial = new Trial(kafka, topics, seed);
        RouterProcess router = RouterProcess.prepare(kafka, topics, loads, guarantee);
        RouterProcess next = RouterProcess.prepare(kafka, topics, loads, guarantee);
        try {
            router.go();
            for (int kill = 0; kill < kills; kill++) {
                if (kill % 3 == 1) {
                    trial.replaceNeighborhood();
                }
                if (kill % 3 == 2) {
                    trial.removeNeighborhood();
                }
                trial.addNeighborhood();
                trial.publishSome();
                trial.pause(400);
                router.kill();
                trial.routerWasKilled();
                trial.publishSome();
                router = next;
                router.go();
                next = RouterProcess.prepare(kafka, topics, loads, guarantee);
                if (loads && kill % CHECK_EVERY == CHECK_EVERY - 1) {
                    trial.settle();
                    System.out.println("RouterKillIT: kills " + (kill + 1) + ", " + trial.figures());
                    assertThat(trial.missed()).isEmpty();
                }
            }
            router.awaitRunning(START);
            trial.publishSome();
            trial.settle();
            return trial;
        } catch (ConditionTimeoutException e) {
            System.out.println(router.diagnosis());
            throw e;
        } finally {
            router.close();
            next.close();
        }
    }
}
