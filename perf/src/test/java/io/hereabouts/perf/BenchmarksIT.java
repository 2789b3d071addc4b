package io.hereabouts.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.perf.kafka.RouteBenchmark;
import io.hereabouts.perf.kafka.RouteParameters;
import io.hereabouts.perf.kafka.ScaleBenchmark;
import io.hereabouts.perf.kafka.ScaleParameters;
import io.hereabouts.perf.mqtt.AlternativesBenchmark;
import io.hereabouts.perf.mqtt.AlternativesParameters;
import io.hereabouts.perf.mqtt.ChangeBenchmark;
import io.hereabouts.perf.mqtt.ChangeParameters;
import io.hereabouts.perf.mqtt.E2eBenchmark;
import io.hereabouts.perf.mqtt.E2eParameters;
import io.hereabouts.perf.mqtt.FloodBenchmark;
import io.hereabouts.perf.mqtt.FloodParameters;
import io.hereabouts.perf.mqtt.StackChoice;
import io.hereabouts.perf.mqtt.SubscribeBenchmark;
import io.hereabouts.perf.mqtt.SubscribeParameters;
import io.hereabouts.perf.postgis.MappingBenchmark;
import io.hereabouts.perf.postgis.MappingParameters;
import io.hereabouts.perf.postgis.PaperBenchmark;
import io.hereabouts.perf.postgis.PaperExperiment;
import io.hereabouts.perf.postgis.PaperParameters;
import io.hereabouts.perf.postgis.PostgisServer;
import io.hereabouts.perf.postgis.RealBenchmark;
import io.hereabouts.perf.postgis.RealParameters;
import io.hereabouts.perf.postgis.ResolveBenchmark;
import io.hereabouts.perf.postgis.ResolveParameters;
import io.hereabouts.perf.postgis.ZoneQueries;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.RealCity;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each measurement for real, at a scale where its time says nothing: what counts is that its books balance. */
class BenchmarksIT {

    private static final int SEED = 17;

    @TempDir
    Path folder;

    private static void assertBalanced(Result result) {
        System.out.println(Report.text(result));
        assertThat(result.books())
                .isNotEmpty()
                .allSatisfy(b -> assertThat(b.actual()).as(b.of()).isEqualTo(b.expected()));
        assertThat(result.figures())
                .isNotEmpty()
                .allSatisfy(f -> assertThat(f.rounds()).as(f.of()).hasSize(2).allSatisfy(value -> assertThat(value)
                        .isPositive()));
    }

    /** With one edge it is routed in perf smoke. */
    @Test
    void shouldRouteEachPublicationToEachEdgeOnce() throws Exception {
        Result result = RouteBenchmark.run(
                new RouteParameters(SEED, 40_000, 2, 3, 64, 100, 20, List.of(0, 10)), System.out::println);

        assertBalanced(result);
        assertThat(result.books())
                .contains(new BookEntry("fan-out 0: deliveries", 0, 0))
                .contains(new BookEntry("fan-out 10: deliveries", 3 * 8_000 * 10, 3 * 8_000 * 10));
    }

    @Test
    void shouldTimeSubscriptionsThatAreActive() throws Exception {
        Result result = SubscribeBenchmark.run(
                new SubscribeParameters(SEED, 5, 2, 10), StackChoice.embedded(), System.out::println);

        assertBalanced(result);
        assertThat(result.books()).contains(new BookEntry("copies after SUBACK", 3 * 15, 3 * 15));
    }

    @Test
    void shouldServeTheOthersBesideThoseWhoDisturb() throws Exception {
        Result result = FloodBenchmark.run(
                new FloodParameters(SEED, 50, 1, 0, 2, 2, 30, 10, 64), StackChoice.embedded(), System.out::println);

        assertBalanced(result);
        assertThat(result.books())
                .contains(new BookEntry("measured: copies delivered", 2 * 4 * 50 * 2, 2 * 4 * 50 * 2))
                .contains(new BookEntry("crowd: copies delivered", 2 * 30, 2 * 30));
    }

    @Test
    void shouldFollowTheWorldUnderEachPublicationOnce() throws Exception {
        Result result = ChangeBenchmark.run(new ChangeParameters(SEED, 200, 20, 3, 2), System.out::println);

        assertBalanced(result);
        assertThat(result.targets()).allMatch(Target::met);
    }

    @Test
    void shouldResolveAlikeInMemoryInPostgisAndBySql() throws Exception {
        PostgisServer server = PostgisServer.of(null);

        Result result = ResolveBenchmark.run(
                new ResolveParameters(SEED, List.of(2_000), 2, 8, null), server, System.out::println);

        assertBalanced(result);
        // six small cases of eight questions, seven large ones of two; a warm-up and two rounds
        assertThat(result.books())
                .contains(new BookEntry("2,000: answers of PostGIS as in memory", 3 * 62, 3 * 62))
                .contains(new BookEntry("2,000: answers of SQL as in memory", 3 * 62, 3 * 62));
        assertThat(result.figures()).hasSize(13 * 6);
        assertThat(result.targets()).hasSize(13 + 9);
    }

    /** The shapes themselves need more time than a test has: {@code perf paper} exits 1 if they are others. */
    @Test
    void shouldRepeatTheExperimentsOfThePaper() throws Exception {
        Result result = PaperBenchmark.run(
                new PaperParameters(SEED, List.of(PaperExperiment.values()), 2, 20, 1_000, 2_000),
                PostgisServer.of(null),
                System.out::println);

        assertBalanced(result);
        assertThat(result.books()).contains(new BookEntry("size, 1,000 entities of a filter: right answers", 100, 100));
        assertThat(result.targets()).hasSize(7 * 3);
        assertThat(result.targets())
                .filteredOn(target -> target.unit().equals("places"))
                .allMatch(Target::met);
        assertThat(result.graphs()).hasSize(7);
    }

    @Test
    void shouldGrowWithoutLosingAnything() throws Exception {
        Result result = ScaleBenchmark.run(
                new ScaleParameters(SEED, List.of(1, 3), List.of(2), List.of(20), 2, 20_000, 1, 2_000, 64, 2_000, 2),
                System.out::println);

        System.out.println(Report.text(result));
        assertThat(result.books())
                .contains(new BookEntry("edges 2: deliveries", 2 * 2 * 20_000, 2 * 2 * 20_000))
                .allSatisfy(b -> assertThat(b.actual()).as(b.of()).isEqualTo(b.expected()));
        assertThat(result.graphs()).hasSize(3);
        assertThat(result.figures())
                .filteredOn(figure -> figure.of().equals("instances 2: largest share ÷ an even one"))
                .singleElement()
                .satisfies(figure -> assertThat(figure.median()).isBetween(1.0, 1.5));
    }

    @Test
    void shouldDoTheSameWorkAsEachAlternative() throws Exception {
        Result result = AlternativesBenchmark.run(
                new AlternativesParameters(SEED, 3, 30, 100, 1, 1, 1, 20, 64, 1, 20_000),
                (zones, others) -> ZoneQueries.fill(PostgisServer.of(null), zones, others),
                System.out::println);

        System.out.println(Report.text(result));
        assertThat(result.books())
                .allSatisfy(b -> assertThat(b.actual()).as(b.of()).isEqualTo(b.expected()))
                .contains(new BookEntry("fan-out 1, 10 neighborhoods: deliveries", 2 * 20_000, 2 * 20_000))
                .contains(new BookEntry(
                        "fan-out 1, 10 neighborhoods: right records by the table", 2 * 20_000, 2 * 20_000));
        assertThat(result.books())
                .filteredOn(book -> book.of().endsWith(": copies delivered"))
                .hasSize(4)
                .allSatisfy(book -> assertThat(book.expected()).isGreaterThan(100));
        // each publication is about one entity, in one zone of three
        assertThat(figure(result, "Hereabouts: copies sent to subscribers a publication"))
                .isEqualTo(1);
        // those that nobody waits for may come after the round
        assertThat(figure(result, "broadcast: copies sent to subscribers a publication"))
                .isBetween(2.9, 3.1);
    }

    private static double figure(Result result, String of) {
        return result.figures().stream()
                .filter(figure -> figure.of().equals(of))
                .findFirst()
                .orElseThrow()
                .median();
    }

    @Test
    void shouldFindTheSameInBerlinInMemoryAndInATable() throws Exception {
        Optional<Path> data = RealCity.data();
        if (data.isEmpty()) {
            return;
        }

        Result result = RealBenchmark.run(
                new RealParameters(SEED, data.get(), 40, 100, 50_000, 2), PostgisServer.of(null), System.out::println);

        assertThat(result.books()).containsExactly(new BookEntry("publishers with equal answers", 100, 100));
        assertThat(result.targets()).allMatch(Target::met);
        assertThat(result.figures().get(0).rounds()).hasSize(2);
    }

    @Test
    void shouldLeaveNothingOnTheDatabaseServer() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        String url = database.url() + "?user=" + database.user() + "&password=" + database.password();
        String databases = "SELECT datname FROM pg_database WHERE datname LIKE 'hereabouts_perf_%'";

        MappingBenchmark.run(new MappingParameters(SEED, 10, 1, List.of(1), List.of()), PostgisServer.of(url), line -> {
            // and it is not the one that it was shown
            assertThat(database.sql(databases)).isNotBlank();
            assertThat(database.sql("SELECT count(*) FROM pg_tables WHERE tablename = 'pair'")
                            .strip())
                    .isEqualTo("0");
        });
        assertThat(database.sql(databases)).isBlank();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ResolveBenchmark.run(
                        new ResolveParameters(SEED, List.of(2_000), 1, 1, null), PostgisServer.of(url), line -> {}))
                .isInstanceOf(InterruptedException.class);
        assertThat(database.sql(databases)).isBlank();
    }

    @Test
    void shouldLeaveNothingInARunningStack() throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(), Map.of("data", folder.toString(), "kafka.port", "0", "mqtt.port", "0"), Map.of());
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry())) {
            StackChoice running = new StackChoice(
                    stack.kafkaServers(), new MqttAddress("127.0.0.1", stack.mqttPort()), null, Map.of());

            Result result = E2eBenchmark.run(
                    new E2eParameters(SEED, 200, 1, 0, 2, 20, 64, 2, 1, 10), running, System.out::println);

            assertBalanced(result);
            assertThat(result.notes()).anyMatch(note -> note.contains("on the stack's own edge"));
            List<String> left = new ArrayList<>();
            try (WorldSource world = WorldSource.open(settings, stack.wiring(), Duration.ofSeconds(30))) {
                world.world().scan(entity -> left.add(entity.id().value()));
            }
            assertThat(left).isEmpty();
        }
    }
}
