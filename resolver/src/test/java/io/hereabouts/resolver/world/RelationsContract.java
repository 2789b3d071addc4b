package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/** What a relation says of one candidate and one reference, in every {@link WorldModel}. */
public abstract class RelationsContract {

    private static final EntityId FIRST = EntityId.of("first");
    private static final EntityId SECOND = EntityId.of("second");

    private WorldModel world;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    @BeforeEach
    void openWorld() throws Exception {
        world = newWorld();
    }

    @AfterEach
    void closeWorld() {
        world.close();
    }

    /** True of candidate and reference, false with the two in each other's place: by id, and with a geometry as reference. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "within    | POINT (1 1)                | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "within    | POINT (1 1)                | LINESTRING (0 0, 2 2)",
                "within    | LINESTRING (1 1, 2 2)      | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "within    | LINESTRING (1 1, 2 2)      | LINESTRING (0 0, 3 3)",
                "within    | POLYGON ((1 1, 2 1, 2 2, 1 1)) | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "contains  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | POINT (1 1)",
                "contains  | LINESTRING (0 0, 2 2)      | POINT (1 1)",
                "contains  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | LINESTRING (1 1, 2 2)",
                "contains  | LINESTRING (0 0, 3 3)      | LINESTRING (1 1, 2 2)",
                "contains  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | POLYGON ((1 1, 2 1, 2 2, 1 1))",
                "coveredBy | POINT (0 2)                | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "coveredBy | LINESTRING (0 1, 0 2)      | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "coveredBy | LINESTRING (1 1, 2 2)      | LINESTRING (0 0, 3 3)",
                "coveredBy | POLYGON ((0 0, 2 0, 2 2, 0 0)) | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "covers    | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | POINT (0 2)",
                "covers    | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | LINESTRING (0 1, 0 2)",
                "covers    | LINESTRING (0 0, 3 3)      | LINESTRING (1 1, 2 2)",
                "covers    | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | POLYGON ((0 0, 2 0, 2 2, 0 0))",
                "0FFFFF212 | POINT (1 1)                | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "T****F*** | LINESTRING (1 1, 2 2)      | LINESTRING (0 0, 3 3)",
                "1FF0FF212 | LINESTRING (1 1, 2 2)      | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
                "212FF1FF2 | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | POLYGON ((1 1, 2 1, 2 2, 1 1))",
                "FF2FF1**2 | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | LINESTRING (5 5, 6 6, 5 6, 5 5)",
                "1*1***T** | LINESTRING (-1 2, 5 2)     | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))",
            })
    void shouldReadFromCandidateToReference(String relation, String candidate, String reference) throws Exception {
        put(candidate, reference);
        Condition condition = condition(relation);
        assertThat(holds(condition, FIRST, new Reference.ToEntity(SECOND))).isTrue();
        assertThat(holds(condition, SECOND, new Reference.ToEntity(FIRST))).isFalse();
        assertThat(holds(condition, FIRST, new Reference.ToGeometry(reference))).isTrue();
        assertThat(holds(condition, SECOND, new Reference.ToGeometry(candidate)))
                .isFalse();
    }

    /** SFA defines crosses for a line and an area in either order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "crosses  | LINESTRING (-1 2, 5 2)  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | true",
                "crosses  | LINESTRING (0 2, 4 2)   | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | false",
                "crosses  | LINESTRING (0 0, 2 2)   | LINESTRING (0 2, 2 0) | true",
                "crosses  | LINESTRING (0 0, 2 2)   | LINESTRING (1 1, 3 3) | false",
                "crosses  | MULTIPOINT ((1 1), (5 5)) | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | true",
                "crosses  | MULTIPOINT ((1 1), (5 5)) | LINESTRING (0 0, 2 2) | true",
                "crosses  | POLYGON ((0 0, 4 0, 4 4, 0 0)) | POLYGON ((0 0, 4 0, 0 4, 0 0)) | false",
                "overlaps | LINESTRING (0 0, 2 2)   | LINESTRING (1 1, 3 3) | true",
                "overlaps | LINESTRING (-1 2, 5 2)  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | false",
                "touches  | LINESTRING (-1 2, 0 2)  | POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)) | true",
                "touches  | POINT (0 0)             | POINT (0 0) | false",
                "touches  | POINT (0 0)             | LINESTRING (0 0, 1 1) | true",
                "equals   | LINESTRING (0 0, 2 2)   | MULTILINESTRING ((1 1, 2 2), (1 1, 0 0)) | true",
            })
    void shouldBeTheSameInEitherOrder(String relation, String one, String other, boolean expected) throws Exception {
        put(one, other);
        Condition condition = condition(relation);
        assertThat(holds(condition, FIRST, new Reference.ToEntity(SECOND))).isEqualTo(expected);
        assertThat(holds(condition, SECOND, new Reference.ToEntity(FIRST))).isEqualTo(expected);
    }

    /**
     * Where libraries go wrong: a line through a crossing of another with itself, a point beside one by a digit, several
     * lines apart, a corner beside an edge by a digit.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "101F00FF2 | LINESTRING (1 0, 0 2, 0 0, 2 2) | LINESTRING (0 0, 2 2)",
                "contains  | LINESTRING (1 0, 0 2, 0 0, 2 2) | LINESTRING (0 0, 2 2)",
                "1F1000FF2 | MULTILINESTRING ((0 0, 1 1), (0.5 0.5, 1 0.1, -1 0.1)) | LINESTRING (0 0, 1 1)",
                "FF0FFF102 | POINT (3.6 4.8) | LINESTRING (2 2, 6 9, 6 2, 0 9)",
                "FF1FF0102 | LINESTRING (10 10, 20 20) | MULTILINESTRING ((0 0, 1 0), (1 0, 2 0), (-1 0, 0 0))",
                "FF1FF0102 | MULTILINESTRING ((0 0, 1 0), (1 0, 2 0), (-1 0, 0 0)) | LINESTRING (10 10, 20 20)",
                "FF2F01212 | POLYGON ((13.402000000000001 52.504, 13.402000000000001 52.505, 13.405000000000001 52.505, "
                        + "13.405000000000001 52.504, 13.402000000000001 52.504)) "
                        + "| POLYGON ((13.403 52.501, 13.407 52.507, 13.407 52.501, 13.403 52.501))",
            })
    void shouldSayTheSameEverywhere(String relation, String candidate, String reference) throws Exception {
        put(candidate, reference);
        assertThat(holds(condition(relation), FIRST, new Reference.ToEntity(SECOND)))
                .isTrue();
        assertThat(holds(new Condition.Not(condition(relation)), FIRST, new Reference.ToEntity(SECOND)))
                .isFalse();
    }

    private void put(String first, String second) throws Exception {
        world.apply(ChangeSet.upsert(List.of(entity(FIRST, first), entity(SECOND, second))));
    }

    private boolean holds(Condition condition, EntityId candidate, Reference reference) throws Exception {
        Stage stage = new Stage(
                List.of(reference), List.of(), List.of(Category.of(candidate.value())), condition, Quantifier.ANY);
        return !world.resolve(NeighborhoodDescriptor.canonical(List.of(stage), List.of()))
                .selected()
                .isEmpty();
    }

    private static Condition condition(String word) {
        @Nullable Relation relation = Relation.byWord(word).orElse(null);
        return relation == null
                ? new Condition.Related(Relation.RELATE, 0, word)
                : new Condition.Related(relation, 0, null);
    }

    private static PhysicalEntity entity(EntityId id, String wkt) throws ParseException {
        return new PhysicalEntity(id, new WKTReader().read(wkt), new TreeSet<>(List.of(Category.of(id.value()))));
    }
}
