package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.WorldChange;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;

/** Several writers at once, the world among them: versions are in commit order, and a reader misses none. */
final class ConcurrentWritersIT extends PostgisWorldFixture {

    private static final int FOREIGN = 3;
    private static final int TRANSACTIONS = 80;
    private static final int IDS = 30;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(10);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldTellEveryChangeOnceInCommitOrder() throws Exception {
        Map<Long, Set<String>> written = new ConcurrentSkipListMap<>();
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < FOREIGN; i++) {
            int number = i;
            writers.add(threads.submit(asked(() -> writeSql(number, written))));
        }
        writers.add(threads.submit(asked(() -> writeChangeSets(written))));
        List<WorldChange> told = new ArrayList<>();
        long since = 0;
        boolean over = false;
        while (!over) {
            over = writers.stream().allMatch(Future::isDone);
            for (WorldChange change : world.awaitChanges(since, SHORT)) {
                told.add(change);
                since = change.version();
            }
        }
        for (Future<?> writer : writers) {
            writer.get();
        }

        assertThat(told).extracting(WorldChange::version).containsExactlyElementsOf(written.keySet());
        assertThat(told.get(told.size() - 1).version()).isEqualTo(told.size());
        for (WorldChange change : told) {
            assertThat(ids(change)).as("version %d", change.version()).isEqualTo(written.get(change.version()));
        }
    }

    /** Among all that there can be. */
    private static Set<String> ids(WorldChange change) {
        assertThat(change.isEverything()).isFalse();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < IDS; i++) {
            if (new Footprint(Set.of(EntityId.of("e" + i)), List.of()).isTouchedBy(change)) {
                ids.add("e" + i);
            }
        }
        assertThat(change.size()).isEqualTo(ids.size());
        return ids;
    }

    /** One to three statements a transaction, each with a place of its own; every fifth transaction is rolled back. */
    private void writeSql(int number, Map<Long, Set<String>> written) throws SQLException {
        Random random = new Random(number);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TRANSACTIONS; i++) {
                Set<String> ids = new HashSet<>();
                for (int s = 1 + random.nextInt(3); s > 0; s--) {
                    String id = "e" + random.nextInt(IDS);
                    double lat = number + (i * 4 + s) / 1000.0;
                    statement.execute("INSERT INTO hereabouts.entity (id, geom, categories)"
                            + " VALUES ('" + id + "', ST_Point(10, " + lat + ", 4326), '{road}')"
                            + " ON CONFLICT (id) DO UPDATE SET geom = excluded.geom");
                    ids.add(id);
                }
                long version = version(statement);
                if (random.nextInt(5) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                    written.put(version, ids);
                }
            }
        }
    }

    private static long version(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT version FROM hereabouts.world")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void writeChangeSets(Map<Long, Set<String>> written) throws Exception {
        Random random = new Random(FOREIGN);
        for (int i = 0; i < TRANSACTIONS; i++) {
            String id = "e" + random.nextInt(IDS);
            long version = world.apply(ChangeSet.upsert(List.of(entity(id, 40 + i / 1000.0))));
            written.put(version, Set.of(id));
        }
    }

    private static PhysicalEntity entity(String id, double lat) {
        return new PhysicalEntity(
                EntityId.of(id),
                new GeometryFactory().createPoint(new Coordinate(10, lat)),
                new TreeSet<>(Set.of(Category.of("road"))));
    }

    @Test
    void shouldLetWritersComeOneAfterTheOther() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("DELETE FROM hereabouts.entity WHERE id = 'nothing'");
            Future<Long> second = threads.submit(() -> world.apply(ChangeSet.upsert(List.of(entity("a", 1)))));
            Awaitility.await().atMost(LONG).until(() -> database.sql("SELECT count(*) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                    .equals("1"));
            assertThat(world.awaitChanges(0, SHORT)).as("readers do not wait").isEmpty();
            connection.commit();

            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(world.awaitChanges(0, LONG)).extracting(WorldChange::size).containsExactly(0, 1);
    }

    /** PostgreSQL would end one of two that wait for each other, and that one's commit would fail. */
    @Test
    void shouldNotDeadlockWithTruncate() throws Exception {
        Future<?> truncating = threads.submit(asked(() -> repeat("TRUNCATE hereabouts.entity")));
        Future<?> upserting = threads.submit(asked(() -> repeat("INSERT INTO hereabouts.entity (id, geom, categories)"
                + " VALUES ('a', ST_Point(1, 1, 4326), '{road}'), ('b', ST_Point(1, 1, 4326), '{road}')"
                + " ON CONFLICT (id) DO UPDATE SET categories = '{zone}'")));
        Future<?> deleting = threads.submit(asked(() -> repeat("DELETE FROM hereabouts.entity WHERE id = 'b'")));
        for (Future<?> each : List.of(truncating, upserting, deleting)) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(world.version()).isEqualTo(3L * TRANSACTIONS);
    }

    private void repeat(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TRANSACTIONS; i++) {
                statement.execute(sql);
                statement.execute(sql);
                connection.commit();
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Callable<Boolean> asked(Work work) {
        return () -> {
            work.run();
            return true;
        };
    }
}
