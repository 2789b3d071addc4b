package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.WorldChange;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Envelope;
import org.postgresql.PGConnection;

/** Entities that other programs write with SQL of their own: changes are told as exactly as if the world had made them. */
final class ForeignSqlIT extends PostgisWorldFixture {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final String INSERT = "INSERT INTO hereabouts.entity (id, geom, categories) VALUES ";

    @Test
    void shouldTellAnInsert() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a") + ", " + point("b", 20, "zone"));

        WorldChange change = only(0);

        assertThat(change.version()).isEqualTo(1);
        assertThat(change.size()).isEqualTo(2);
        assertThat(touches(change, "road", 10)).isTrue();
        assertThat(touches(change, "zone", 20)).isTrue();
        assertThat(touches(change, "zone", 10)).isFalse();
        assertThat(names(change, "a")).isTrue();
        assertThat(names(change, "c")).isFalse();
        assertThat(versions()).isEqualTo("a 1\nb 1");
    }

    @Test
    void shouldTellWhereAnEntityWasAndWhereItIs() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a") + ", " + point("b", 40, "road/a"));
        database.sql("UPDATE hereabouts.entity SET geom = ST_Point(20, 20, 4326) WHERE id = 'a'");

        WorldChange change = only(1);

        assertThat(change.size()).isEqualTo(1);
        assertThat(touches(change, "road", 10)).isTrue();
        assertThat(touches(change, "road", 20)).isTrue();
        assertThat(touches(change, "road", 15)).isFalse();
        assertThat(touches(change, "road", 40)).isFalse();
        assertThat(versions()).isEqualTo("a 2\nb 1");
    }

    @Test
    void shouldTellWhatAnEntityWasAndWhatItIs() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a"));
        database.sql("UPDATE hereabouts.entity SET categories = '{zone,zone/b}', version = 77");

        WorldChange change = only(1);

        assertThat(touches(change, "road/a", 10)).isTrue();
        assertThat(touches(change, "zone/b", 10)).isTrue();
        assertThat(touches(change, "zone/a", 10)).isFalse();
        assertThat(versions()).isEqualTo("a 2");
    }

    @Test
    void shouldTouchNothingByAnUpdateThatChangesNothing() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a") + ", " + point("b", 20, "zone"));
        database.sql("UPDATE hereabouts.entity SET geom = geom, categories = ARRAY['road/a'], version = 77"
                + " WHERE id = 'a'");
        database.sql("UPDATE hereabouts.entity SET categories = '{road/a}'");

        List<WorldChange> changes = world.awaitChanges(1, LONG);

        assertThat(changes).extracting(WorldChange::size).containsExactly(0, 1);
        assertThat(names(changes.get(1), "b")).isTrue();
        assertThat(versions()).isEqualTo("a 1\nb 3");
    }

    @Test
    void shouldTellANewIdAsADeleteAndAnInsert() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a"));
        database.sql("UPDATE hereabouts.entity SET id = 'b'");

        WorldChange change = only(1);

        assertThat(names(change, "a")).isTrue();
        assertThat(names(change, "b")).isTrue();
        assertThat(versions()).isEqualTo("b 2");
    }

    @Test
    void shouldTellADelete() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a") + ", " + point("b", 20, "zone"));
        database.sql("DELETE FROM hereabouts.entity WHERE id = 'a'");

        WorldChange change = only(1);

        assertThat(change.size()).isEqualTo(1);
        assertThat(names(change, "a")).isTrue();
        assertThat(touches(change, "road", 10)).isTrue();
    }

    @Test
    void shouldTellACopy() throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            rows.append("k").append(i).append("\tSRID=4326;POINT(10 10)\t{kiosk}\n");
        }
        try (Connection connection = connect()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY hereabouts.entity (id, geom, categories) FROM STDIN",
                            new StringReader(rows.toString()));
        }

        WorldChange change = only(0);

        assertThat(change.size()).isEqualTo(3000);
        assertThat(touches(change, "kiosk", 10)).isTrue();
        assertThat(database.sql("SELECT DISTINCT version FROM hereabouts.entity"))
                .isEqualTo("1");
    }

    @Test
    void shouldTellThatATruncateTouchesEverything() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a"));
        database.sql("TRUNCATE hereabouts.entity");
        database.sql(INSERT + point("b", 10, "road/a"));

        WorldChange change = only(0);

        assertThat(change.isEverything()).isTrue();
        assertThat(change.version()).isEqualTo(3);
        assertThat(only(1).isEverything()).isTrue();
        assertThat(only(2).isEverything()).isFalse();
    }

    @Test
    void shouldMakeOneVersionOfATransaction() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(INSERT + point("a", 10, "road/a"));
            connection.setSavepoint("s");
            statement.execute(INSERT + point("b", 20, "road/a"));
            statement.execute("UPDATE hereabouts.entity SET categories = '{zone}'");
            statement.execute("DELETE FROM hereabouts.entity WHERE id = 'b'");
            assertThat(world.awaitChanges(0, SHORT)).isEmpty();
            connection.commit();
            statement.execute(INSERT + point("c", 10, "road/a"));
            connection.commit();
        }

        List<WorldChange> changes = world.awaitChanges(0, LONG);

        assertThat(changes).extracting(WorldChange::size).containsExactly(2, 1);
        assertThat(versions()).isEqualTo("a 1\nc 2");
    }

    @Test
    void shouldLeaveNothingOfWhatWasRolledBack() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(INSERT + point("a", 10, "road/a"));
            connection.rollback();
            assertThat(world.version()).isZero();
            statement.execute("SAVEPOINT s");
            statement.execute(INSERT + point("b", 10, "road/a"));
            statement.execute("ROLLBACK TO s");
            statement.execute(INSERT + point("c", 10, "road/a"));
            connection.commit();
        }

        WorldChange change = only(0);

        assertThat(change.version()).isEqualTo(1);
        assertThat(change.size()).isEqualTo(1);
        assertThat(names(change, "c")).isTrue();
    }

    /** What was asked of other programs before triggers did it for them. */
    @Test
    void shouldAcceptAVersionThatTheWriterTookItself() throws Exception {
        database.sql("BEGIN; UPDATE hereabouts.world SET version = version + 1;"
                + " INSERT INTO hereabouts.entity (id, geom, categories, version)"
                + " SELECT 'a', ST_Point(10, 10, 4326), '{road}', version FROM hereabouts.world; COMMIT");

        assertThat(only(0).size()).isEqualTo(1);
        assertThat(versions()).isEqualTo("a 1");
        assertThatThrownBy(() -> database.sql("INSERT INTO hereabouts.entity (id, geom, categories, version)"
                        + " VALUES ('b', ST_Point(10, 10, 4326), '{road}', 1)"))
                .hasMessageContaining("entity 'b': the version is not for who writes to choose");
    }

    @Test
    void shouldNeedNoRightsButOnTheEntities() throws Exception {
        String role = database.name() + "_writer";
        database.sql("CREATE ROLE " + role + "; GRANT USAGE ON SCHEMA hereabouts TO " + role
                + "; GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON hereabouts.entity TO " + role);
        try {
            database.sql("SET ROLE " + role + "; SET search_path = ''; " + INSERT + "('a', 'SRID=4326;POINT(1 1)',"
                    + " '{road}'); UPDATE hereabouts.entity SET categories = '{zone}'; DELETE FROM hereabouts.entity");
            assertThat(only(0).size()).isEqualTo(1);
            assertThatThrownBy(() -> database.sql("SET ROLE " + role + "; DELETE FROM hereabouts.touched"))
                    .hasMessageContaining("permission denied");
        } finally {
            database.sql("DROP OWNED BY " + role + "; DROP ROLE " + role);
        }
    }

    @Test
    void shouldSayThatEverythingMayHaveChangedWhenTheVersionIsSetByHand() throws Exception {
        database.sql(INSERT + point("a", 10, "road/a"));
        database.sql("UPDATE hereabouts.world SET version = 9");
        database.sql(INSERT + point("b", 10, "road/a"));

        assertThat(only(1).isEverything()).isTrue();
        assertThat(only(9).isEverything()).isFalse();
    }

    private Connection connect() throws Exception {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private WorldChange only(long since) throws Exception {
        List<WorldChange> changes = world.awaitChanges(since, LONG);
        assertThat(changes).hasSize(1);
        return changes.get(0);
    }

    private String versions() {
        return database.sql("SELECT id || ' ' || version FROM hereabouts.entity ORDER BY id");
    }

    private static String point(String id, double degrees, String category) {
        return "('" + id + "', ST_Point(" + degrees + ", " + degrees + ", 4326), '{" + category + "}')";
    }

    private static boolean names(WorldChange change, String id) {
        return new Footprint(Set.of(EntityId.of(id)), List.of()).isTouchedBy(change);
    }

    private static boolean touches(WorldChange change, String category, double degrees) {
        Footprint.Reach reach = new Footprint.Reach(
                List.of(Category.of(category)),
                false,
                List.of(new Envelope(degrees - 1, degrees + 1, degrees - 1, degrees + 1)));
        return new Footprint(Set.of(), List.of(reach)).isTouchedBy(change);
    }
}
