package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.kafka.KafkaPublications;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three routers and a broker as processes of their own, 5,000 publications a second, and one {@link Fault} after the other:
 * none costs a copy, an order or a repeat, and all is over soon after the session timeout. The short form draws one
 * fault by a random seed for each guarantee; {@code -Dhereabouts.failover.long=true} takes all of them, with the default session
 * timeout and a million pairs of neighborhood and entity.
 */
class FailoverIT {

    private static final boolean LONG = Boolean.getBoolean("hereabouts.failover.long");
    private static final int ROUTERS = Integer.getInteger("hereabouts.failover.routers", 3);
    private static final int FAULTS = Integer.getInteger("hereabouts.failover.faults", LONG ? 7 : 1);
    private static final int BALLAST = LONG ? 10_000 : 0;
    private static final double PAIRS = LONG ? 1_000_000 : 0;
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(LONG ? 10 : 3);

    /** Takes a quiet machine; the short form allows for one that is busy with other tests. */
    private static final Duration BOUND = SESSION_TIMEOUT.plusSeconds(LONG ? 5 : 15);

    private static final int PUBLISHERS = 20;
    private static final int PER_SECOND = Integer.getInteger("hereabouts.failover.rate", 5_000);

    @TempDir
    Path folder;

    private final SeededCity city = SeededCity.generate(11, 10);
    private final MeterRegistry metrics = new SimpleMeterRegistry();

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once_v2"})
    void shouldKeepAllPromisesWhateverHappensToRoutersAndBroker(String guarantee) throws Exception {
        long seed = Long.getLong("hereabouts.failover.seed", new Random().nextLong());
        System.out.println("FailoverIT: random seed " + seed);
        Random random = new Random(seed);
        List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, random);
        if (guarantee.equals("exactly_once_v2")) {
            // so that the short forms of both have others
            Collections.reverse(faults);
        }
        try (KafkaProcess kafka = new KafkaProcess(folder.resolve("kafka"), ROUTERS);
                CityEdges edges = CityEdges.start(kafka.bootstrapServers(), city, EdgeConfig.Limits.DEFAULT, metrics);
                RouterFleet routers = RouterFleet.start(kafka.lines(), settings(guarantee))) {
            int[] ports = {edges.eastPort(), edges.westPort()};
            long start = System.nanoTime();
            try (Ballast ballast = new Ballast(city, BALLAST, ports);
                    CityLoad load = load(kafka.bootstrapServers(), ports, seed)) {
                // routers count them every few seconds
                await().atMost(Duration.ofMinutes(1)).until(() -> routers.pairs() >= PAIRS);
                System.out.printf(
                        "fail-over, %s: %d routers, %d neighborhoods beside those of the load, %.0f pairs, in %.1f s%n",
                        guarantee,
                        ROUTERS,
                        ballast.neighborhoods(),
                        routers.pairs(),
                        (System.nanoTime() - start) / 1e9);
                for (Fault fault : faults.subList(0, Math.min(FAULTS, faults.size()))) {
                    run(guarantee, fault, random.nextInt(ROUTERS), kafka, routers, load);
                }
            }
        }
    }

    private void run(String guarantee, Fault fault, int victim, KafkaProcess kafka, RouterFleet routers, CityLoad load)
            throws Exception {
        Round round = load.begin(PER_SECOND);
        Duration recovery;
        try {
            round.awaitSent(PER_SECOND);
            recovery = fault.happen(kafka, routers, victim, round);
        } catch (Exception | AssertionError e) {
            round.abandon();
            throw e;
        }
        Duration gap = round.longestGap();
        Round.Outcome outcome = round.finish(0);
        System.out.printf(
                "fail-over, %s, %s of router %d: late for %.1f s, longest gap %.1f s; %s, repeats %d, %.0f sent a second%n",
                guarantee,
                fault,
                victim,
                recovery.toMillis() / 1e3,
                gap.toMillis() / 1e3,
                outcome.sums(),
                outcome.repeats(),
                outcome.rate());
        assertThat(recovery).isLessThanOrEqualTo(BOUND);
        outcome.assertComplete();
        if (!fault.stopsPublishers()) {
            assertThat(outcome.doubtful()).isZero();
        }
    }

    /** One of twenty publications comes over MQTT at QoS 2, the others are written to Kafka. */
    private CityLoad load(String kafka, int[] ports, long seed) throws Exception {
        KafkaPublications straight = new KafkaPublications(KafkaConnection.to(kafka), CityEdges.TOPICS);
        List<Publisher> publishers = new ArrayList<>();
        publishers.add(Publisher.mqtt(ports[0], CityLoad.publisher(0), 2));
        for (int p = 1; p < PUBLISHERS; p++) {
            publishers.add(Publisher.straight(straight, CityLoad.publisher(p)));
        }
        return new CityLoad(city, CityClients.Weight.LIGHT, seed, ports, publishers, () -> CityLoad.drops(metrics));
    }

    private Map<String, String> settings(String guarantee) {
        return Map.of(
                "router.guarantee",
                guarantee,
                "router.commit-interval",
                "200ms",
                "router.session-timeout",
                SESSION_TIMEOUT.toSeconds() + "s",
                "data",
                folder.resolve("routers").toString());
    }
}
