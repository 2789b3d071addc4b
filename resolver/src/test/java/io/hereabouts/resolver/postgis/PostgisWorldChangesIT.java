package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldChangesContract;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.hereabouts.testkit.process.CutableProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a reader of changes gets on with connections that end, and with a log that forgets. */
final class PostgisWorldChangesIT extends WorldChangesContract {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(50);
    /** Looking once a second finds a change half a second late on average. */
    private static final Duration AT_ONCE = Duration.ofMillis(300);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Override
    protected WorldModel newWorld() throws Exception {
        return PostgisWorlds.reset(ResolutionLimits.DEFAULT);
    }

    @AfterEach
    void endThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldHearOfEachVersionAtOnce() throws Exception {
        try (PostgisWorld world = PostgisWorlds.open()) {
            hearsAtOnce(world);
        }
    }

    private void hearsAtOnce(PostgisWorld world) throws Exception {
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            long version = world.version();
            Future<Long> heard = heard(world, version);
            waitsFor(world, version);
            long begin = System.nanoTime();
            put(world, "h" + version);
            delays.add(Duration.ofNanos(heard.get(20, TimeUnit.SECONDS) - begin));
        }
        delays.sort(null);
        assertThat(delays.get(delays.size() / 2)).as("median of %s", delays).isLessThan(AT_ONCE);
    }

    /** When the answer came. */
    private Future<Long> heard(PostgisWorld world, long since) {
        return threads.submit(() -> {
            assertThat(world.awaitChanges(since, LONG)).hasSize(1);
            return System.nanoTime();
        });
    }

    /** Only to let the other thread get into its wait. */
    private static void waitsFor(PostgisWorld world, long version) throws Exception {
        assertThat(world.awaitChanges(version, Duration.ofMillis(20))).isEmpty();
    }

    @Test
    void shouldFindAChangeThatItDidNotHearOf() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            String silenced =
                    "replace(pg_get_functiondef('hereabouts.number_version'::regproc), 'pg_notify', 'concat')";
            assertThat(database.sql("SELECT " + silenced)).contains("PERFORM concat('hereabouts_world'");
            database.sql("DO $$ BEGIN EXECUTE " + silenced + "; END $$");
            Future<Long> heard = heard(world, 0);
            waitsFor(world, 0);

            put(world, "a");

            assertThat(heard.get(20, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void shouldWaitOnAConnectionThatNobodyElseNeeds() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        PostgisConnection one =
                new PostgisConnection(database.url(), database.user(), database.password(), 1, Duration.ofMillis(500));
        try (PostgisWorld world = PostgisWorld.open(one, ResolutionLimits.DEFAULT)) {
            List<Future<Long>> waiting = List.of(heard(world, 0), heard(world, 0), heard(world, 0));
            for (int i = 0; i < 20; i++) {
                waitsFor(world, 0);
                assertThat(world.entity(EntityId.of("a"))).isEmpty();
            }
            put(world, "a");
            for (Future<Long> each : waiting) {
                assertThat(each.get(20, TimeUnit.SECONDS)).isPositive();
            }
        }
    }

    @Test
    void shouldGoOnWhenTheServerEndedItsConnections() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            for (int i = 0; i < 3; i++) {
                Future<Long> heard = heard(world, i);
                waitsFor(world, i);
                database.terminateConnections();
                put(world, "a" + i);
                assertThat(heard.get(20, TimeUnit.SECONDS)).isPositive();
            }
            hearsAtOnce(world);
        }
    }

    @Test
    void shouldTellWhatHappenedWhileTheDatabaseWasAway() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (CutableProxy proxy = CutableProxy.to(database.host(), database.port());
                PostgisWorld writer = PostgisWorlds.open(database, ResolutionLimits.DEFAULT);
                PostgisWorld world = PostgisWorld.open(
                        new PostgisConnection(
                                "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database.name(),
                                database.user(),
                                database.password(),
                                2,
                                Duration.ofMillis(500)),
                        ResolutionLimits.DEFAULT)) {
            Future<List<WorldChange>> waiting = threads.submit(() -> world.awaitChanges(0, LONG));
            waitsFor(world, 0);
            proxy.cut();
            assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(WorldUnavailableException.class);
            put(writer, "a");
            put(writer, "b");
            proxy.mend();

            List<WorldChange> missed = Awaitility.await()
                    .atMost(LONG)
                    .ignoreExceptionsInstanceOf(WorldUnavailableException.class)
                    .until(() -> world.awaitChanges(0, SHORT), changes -> !changes.isEmpty());

            assertThat(missed).extracting(WorldChange::version).containsExactly(1L, 2L);
            assertThat(missed).extracting(WorldChange::isEverything).containsOnly(false);
            Future<Long> heard = heard(world, 2);
            waitsFor(world, 2);
            put(writer, "c");
            assertThat(heard.get(20, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void shouldEndTheWaitOfAnInterruptedReader() throws Exception {
        try (PostgisWorld world = PostgisWorlds.open()) {
            Future<?> waiting = threads.submit(() ->
                    assertThatThrownBy(() -> world.awaitChanges(0, LONG)).isInstanceOf(InterruptedException.class));
            waitsFor(world, 0);
            threads.shutdownNow();
            waiting.get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldEndTheWaitWhenItIsClosed() throws Exception {
        PostgisWorld world = PostgisWorlds.open();
        Future<?> waiting = threads.submit(() -> assertThatThrownBy(() -> world.awaitChanges(0, LONG))
                .isInstanceOf(WorldUnavailableException.class)
                .hasMessageContaining("closed"));
        waitsFor(world, 0);
        world.close();
        waiting.get(5, TimeUnit.SECONDS);
    }

    @Test
    void shouldForgetOldChanges() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            database.sql("UPDATE hereabouts.world SET remembered = 20");
            for (int i = 0; i < 40; i++) {
                put(world, "a" + i);
            }

            assertThat(world.awaitChanges(30, LONG))
                    .extracting(WorldChange::size)
                    .containsOnly(1)
                    .hasSize(10);
            List<WorldChange> older = world.awaitChanges(10, LONG);
            assertThat(older).extracting(WorldChange::isEverything).containsExactly(true);
            assertThat(older).extracting(WorldChange::version).containsExactly(40L);
            assertThat(database.sql("SELECT count(*) FROM hereabouts.change")).isIn("10", "11");
            assertThat(database.sql("SELECT count(*) FROM hereabouts.touched")).isIn("10", "11");
            assertThat(database.sql("SELECT logged FROM hereabouts.world")).isIn("20", "22");
        }
    }

    @Test
    void shouldKeepNoLogOfAChangeThatIsLargerThanTheLog() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            database.sql("UPDATE hereabouts.world SET remembered = 20");
            ChangeSet.Builder large = ChangeSet.builder();
            // one statement
            for (int i = 0; i < 1000; i++) {
                large.upsert(point("a" + i, "road", 10));
            }
            world.apply(large.build());
            assertThat(world.awaitChanges(0, LONG))
                    .extracting(WorldChange::isEverything)
                    .containsExactly(true);
            put(world, "b");

            assertThat(world.awaitChanges(0, LONG))
                    .extracting(WorldChange::isEverything)
                    .containsExactly(true);
            assertThat(world.awaitChanges(1, LONG))
                    .extracting(WorldChange::size)
                    .containsExactly(1);
            assertThat(database.sql("SELECT count(*) FROM hereabouts.touched")).isEqualTo("1");
        }
    }

    /** Where they are looked at, not where they are found: the boxes of both worlds are the same to the last bit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'references':['a'],'categories':['road'],'where':{'relation':'dwithin','distance':137.3}}",
                "{'references':['a',{'wkt':'POINT (179.9999 7)'}],'categories':['zone','road'],"
                        + "'where':{'or':[{'relation':'dwithin','distance':5000},{'relation':'touches'}]}}",
                "{'references':['b'],'categories':['road']},{'from':[0],'references':['gone'],'categories':['road']}",
                "{'references':['gone'],'categories':['road']}",
                "{'references':['a'],'categories':['road'],'match':'none'}",
                "{'references':['a'],'categories':['road'],'where':{'relation':'disjoint'}}",
                "{'references':['a'],'categories':['road'],'where':{'relation':'disjoint'},'match':'none'}"
            })
    void shouldDependOnTheSameAsInMemory(String stages) throws Exception {
        NeighborhoodDescriptor descriptor = new DescriptorParser(DescriptorLimits.DEFAULT)
                .parse(("{'stages':[" + stages + "]}").replace('\'', '"'));
        ChangeSet entities = ChangeSet.upsert(List.of(
                point("a", "zone", 10.1),
                point("b", "zone", 20.3),
                point("c", "road", 20.3),
                point("d", "road", 10.1)));
        try (PostgisWorld world = PostgisWorlds.open();
                WorldModel memory = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(entities);
            memory.apply(entities);

            Footprint footprint =
                    world.resolve(descriptor, UnknownReferences.LEAVE_OUT).footprint();

            assertThat(footprint)
                    .usingRecursiveComparison()
                    .ignoringCollectionOrder()
                    .isEqualTo(memory.resolve(descriptor, UnknownReferences.LEAVE_OUT)
                            .footprint());
        }
    }

    private static void put(PostgisWorld world, String id) throws WorldUnavailableException {
        world.apply(ChangeSet.upsert(List.of(point(id, "road", 10))));
    }
}
