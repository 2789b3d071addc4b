package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.kafka.Growth;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.city.SeededCity;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two edges and two routers as processes of their own: what is delivered is what the oracle expects, pair by pair, while
 * partitions grow. While parts die: {@code LedgerIT} of perf.
 */
class BooksIT {

    private static final int PUBLICATIONS = Integer.getInteger("hereabouts.books.publications", 30_000);
    private static final int OFFERED_PER_SECOND = 5_000;
    private static final int PUBLISHERS = 4;
    private static final Duration SETTLE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final SeededCity city = SeededCity.generate(11, 10);
    private final MeterRegistry metrics = new SimpleMeterRegistry();

    @Test
    void shouldLoseNothingAndKeepTheOrderWhilePartitionsGrow() throws Exception {
        try (SplitStack stack = SplitStack.start(city, folder, EdgeConfig.Limits.DEFAULT, metrics);
                CityLoad load = load(stack)) {
            Round round = load.begin(OFFERED_PER_SECOND);
            try {
                grow(stack, round);
            } catch (Exception | AssertionError e) {
                round.abandon();
                throw e;
            }
            Round.Outcome outcome = round.finish(PUBLICATIONS);
            System.out.printf(
                    "books, 12 to 20 partitions, a router killed at the switch: %s, repeats %d, offered %d/s, sent %.0f/s,"
                            + " mean fan-out %.2f%n",
                    outcome.sums(), outcome.repeats(), OFFERED_PER_SECOND, outcome.rate(), outcome.fanOut());
            outcome.assertComplete();
            assertThat(outcome.sums()).allMatch(sums -> sums.expected() > 0);
            assertThat(outcome.doubtful()).isZero();
            assertThat(outcome.fanOut()).isBetween(2.0, 3.0);
        }
    }

    private static void grow(SplitStack stack, Round round) throws Exception {
        round.awaitSent(OFFERED_PER_SECOND);
        try (Growth growth = new Growth(stack.wiring(), Set.of(), SETTLE, line -> {
            System.out.println(line);
            if (line.endsWith("publications go there")) {
                stack.routers().killOne();
            }
        })) {
            growth.to(20);
            assertThat(growth.now()).isEqualTo(Generations.only(new Generation(2, 20)));
        }
    }

    private CityLoad load(SplitStack stack) throws Exception {
        int[] ports = {stack.eastPort(), stack.westPort()};
        List<Publisher> publishers = new ArrayList<>();
        for (int p = 0; p < PUBLISHERS; p++) {
            publishers.add(Publisher.mqtt(ports[p % ports.length], CityLoad.publisher(p), 1 + p / ports.length % 2));
        }
        return new CityLoad(city, CityClients.Weight.FULL, 11, ports, publishers, () -> CityLoad.drops(metrics));
    }
}
