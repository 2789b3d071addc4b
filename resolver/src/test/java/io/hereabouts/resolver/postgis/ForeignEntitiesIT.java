package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.resolver.world.WorldChange;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.io.WKTReader;

/** Rows that other programs write keep the rules that imports keep, or are refused with a reason. */
final class ForeignEntitiesIT extends PostgisWorldFixture {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String INSERT = "INSERT INTO hereabouts.entity (id, geom, categories) VALUES ";
    private static final String GOOD = "ST_Point(10, 10, 4326), '{road}')";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POINT EMPTY",
                "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))",
                "LINESTRING (0 0, 0 0)",
                "POINT (181 0)",
                "POINT (0 -90.5)",
                "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING EMPTY)",
                "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POINT EMPTY, POINT (0 0)))",
                "MULTIPOINT (EMPTY, (0 0))"
            })
    void shouldRefuseGeometry(String wkt) throws Exception {
        assertThat(GeometryRules.problem(new WKTReader().read(wkt)))
                .as("the same rule as for imports")
                .isPresent();
        refuses("('x', ST_GeomFromText('" + wkt + "', 4326), '{road}')");
    }

    @Test
    void shouldRefuseGeometryThatNoImportCanBring() throws Exception {
        refuses("('x', ST_GeomFromText('CIRCULARSTRING (0 0, 1 1, 2 0)', 4326), '{road}')");
        refuses("('x', ST_Point('NaN', 0, 4326), '{road}')");
        refuses("('x', ST_MakeLine(ST_Point(0, 0, 4326), ST_Point(0, '-Infinity', 4326)), '{road}')");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a//b", "/a", "a/", "a+b", "#", "a\nb", "a\u0085b", "\u007f"})
    void shouldRefuseCategory(String category) throws Exception {
        assertThatThrownBy(() -> Category.of(category))
                .as("the same rule as for imports")
                .isInstanceOf(IllegalArgumentException.class);
        refuses("('x', ST_Point(0, 0, 4326), ARRAY['road', '" + category + "'])");
    }

    @Test
    void shouldRefuseCategoriesThatAreNoListOfPaths() throws Exception {
        refuses("('x', ST_Point(0, 0, 4326), ARRAY['road', NULL])");
        refuses("('x', ST_Point(0, 0, 4326), '{{road},{zone}}')");
        refuses("('x', ST_Point(0, 0, 4326), ARRAY[repeat('x', 257)])");
        refuses("('x', ST_Point(0, 0, 4326), ARRAY[repeat('\uD83D\uDEB2', 129)])");
        assertThatThrownBy(() -> database.sql(INSERT + "('x', ST_Point(0, 0, 4326), '{}')"))
                .hasMessageContaining("entity_categories_check");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "\u0001", "a\u009f"})
    void shouldRefuseId(String id) throws Exception {
        assertThatThrownBy(() -> EntityId.of(id))
                .as("the same rule as for imports")
                .isInstanceOf(IllegalArgumentException.class);
        refuses("('" + id + "', ST_Point(0, 0, 4326), '{road}')");
    }

    @Test
    void shouldRefuseAnIdThatIsTooLong() throws Exception {
        refuses("(repeat('\u00e4', 128) || 'x', ST_Point(0, 0, 4326), '{road}')");
    }

    @Test
    void shouldAcceptWhatJustKeepsTheRules() throws Exception {
        database.sql(INSERT + "(repeat('\u00e4', 128), ST_Point(-180, 90, 4326), ARRAY[repeat('\uD83D\uDEB2', 128)]),"
                + " ('x', ST_GeomFromText('GEOMETRYCOLLECTION (POINT (180 -90), GEOMETRYCOLLECTION (POINT (0 0)))', 4326),"
                + " ARRAY['stra\u00dfe/f\u00fcr alle', repeat('y', 256), 'a'])");

        assertThat(world.scan(entity -> assertThat(entity.categories()).isNotEmpty()))
                .isEqualTo(1);
        assertThat(world.awaitChanges(0, LONG)).extracting(WorldChange::size).containsExactly(2);
    }

    /** Among good rows, and in the place of a good one: nothing of the statement stays, and the message names the entity. */
    private void refuses(String row) throws Exception {
        long before = world.version();
        assertThatThrownBy(() -> database.sql(INSERT + "('good', " + GOOD + ", " + row))
                .hasMessageContaining("ERROR:  entity '");
        assertThat(world.version()).isEqualTo(before);
        database.sql(INSERT + "('x', " + GOOD);
        assertThatThrownBy(() -> database.sql(INSERT + row
                        + " ON CONFLICT (id) DO UPDATE SET geom = excluded.geom, categories = excluded.categories"))
                .hasMessageContaining("ERROR:  entity '");
        database.sql("DELETE FROM hereabouts.entity WHERE id = 'x'");
        assertThat(world.version()).isEqualTo(before + 2);
        assertThat(world.scan(entity -> fail("there is %s", entity))).isEqualTo(before + 2);
    }
}
