package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.ReadFile;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.testkit.postgis.TestPostgis;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody else's tables, as they come. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgisQueryIT {

    private static final ImportRules RULES =
            new ImportRules(IdRule.ofFeature(), CategoryRule.ofProperty("category", ""), RepeatedIds.LAST_WINS);

    private final TestPostgis.Database database = TestPostgis.shared().newDatabase();

    @BeforeAll
    void makeTables() {
        database.sql(
                """
                CREATE TABLE street (gid bigint, "Kind" text, shape geometry(LineString, 25833));
                INSERT INTO street VALUES
                    (1, 'road/minor', ST_Transform('SRID=4326;LINESTRING (13.4 52.5, 13.41 52.51)'::geometry, 25833)),
                    (2, 'road', NULL),
                    (3, NULL, ST_Transform('SRID=4326;LINESTRING (13.4 52.5, 13.42 52.51)'::geometry, 25833));
                CREATE TABLE place (id text, kinds text[], geom geometry, geog geography);
                INSERT INTO place VALUES
                    ('p', ARRAY['park', 'zone/green'], 'SRID=4326;POINT Z (1 2 3)', 'SRID=4326;POINT (3 4)'),
                    ('curve', ARRAY['park'], 'SRID=4326;CIRCULARSTRING (0 0, 1 1, 2 0)', NULL),
                    ('bow', ARRAY['park'], 'SRID=4326;POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))', NULL);
                CREATE TABLE lost (id text, category text, geom geometry);
                INSERT INTO lost VALUES ('x', 'k', 'POINT (390000 5820000)');
                """);
    }

    @Test
    void shouldTransformToLonLat() throws Exception {
        ReadFile read =
                read("SELECT gid AS id, shape AS geom, \"Kind\" AS category FROM street ORDER BY gid -- all of them");
        assertThat(read.ids()).containsExactly("1");
        assertThat(read.entity("1").geometry().getCoordinates()[1].x).isBetween(13.4099999, 13.4100001);
        assertThat(read.entity("1").geometry().getCoordinates()[1].y).isBetween(52.5099999, 52.5100001);
        assertThat(read.problems())
                .containsExactly("2: geometry is null", "3: no category: property 'category' is missing");
        assertThat(read.bad().get(0).position()).isEqualTo("row 2");
    }

    @Test
    void shouldTakeListsAndRefuseWhatIsWrong() throws Exception {
        ReadFile read = read("SELECT id, geom, kinds AS category FROM place ; ");
        assertThat(read.text("p")).isEqualTo("[park, zone/green] POINT (1 2)");
        assertThat(read.problems()).hasSize(2);
        assertThat(read.problems().get(0)).startsWith("curve: geometry cannot be read: ");
        assertThat(read.problems().get(1)).isEqualTo("bow: Self-intersection at 0.5 0.5");
    }

    @Test
    void shouldReadGeographyFromAnotherColumn() throws Exception {
        PostgisQuery query = new PostgisQuery(
                connection(database.url()),
                "SELECT id, geog, 'k' AS category FROM place WHERE id = 'p'",
                "geog",
                RULES);
        assertThat(ReadFile.of(query).text("p")).isEqualTo("[k] POINT (3 4)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id FROM place | the query has no column 'geom' with a geometry, there are: id",
                "SELECT * FROM nowhere | relation \"nowhere\" does not exist",
                "SELECT id, id AS geom FROM place | the query failed: ERROR: parse error - invalid geometry",
                "SELECT * FROM lost | query, row 1: the geometry has no SRID",
                "SELECT 'x' AS id, ST_SetSRID(geom, 999) AS geom FROM lost | the query failed: ERROR: ",
                "SELECT id, geom FROM lost; DROP TABLE lost | the query failed: ERROR: syntax error",
                "SELECT 1) AS s; DELETE FROM lost; SELECT * FROM (SELECT * FROM lost | read-only transaction",
            })
    void shouldSayWhatIsWrongWithAQuery(String sql, String problem) {
        assertThatThrownBy(() -> read(sql))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining(problem);
        assertThat(database.sql("SELECT count(*) FROM lost").strip()).isEqualTo("1");
    }

    @Test
    void shouldReadThroughACursor() throws Exception {
        PostgisQuery endless = query("SELECT i || '-' || j AS id, 'k' AS category,"
                + " ST_SetSRID(ST_MakePoint(1, 1), 4326) AS geom"
                + " FROM generate_series(1, 30000) i, generate_series(1, 30000) j");
        try (FeatureReader reader = endless.open()) {
            for (int i = 0; i < 5_000; i++) {
                assertThat(reader.next()).containsInstanceOf(Feature.Entity.class);
            }
        }
    }

    @Test
    void shouldTellAServerThatIsNotThereFromABadQuery() {
        PostgisQuery query = new PostgisQuery(connection("jdbc:postgresql://127.0.0.1:1/x"), "SELECT 1", "geom", RULES);
        assertThatThrownBy(query::open)
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
        assertThatThrownBy(() -> query(" ; ")).hasMessage("the query is empty");
    }

    private ReadFile read(String sql) throws IOException {
        return ReadFile.of(query(sql));
    }

    private PostgisQuery query(String sql) {
        return new PostgisQuery(connection(database.url()), sql, "geom", RULES);
    }

    private PostgisConnection connection(String url) {
        return PostgisConnection.of(url, database.user(), database.password());
    }
}
