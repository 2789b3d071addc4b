package io.hereabouts.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Condition.And;
import io.hereabouts.model.neighborhood.Condition.Not;
import io.hereabouts.model.neighborhood.Condition.Or;
import io.hereabouts.model.neighborhood.Condition.Related;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/** A world small enough to see the answer: two zones side by side, a road through both, detectors, a car park. */
class OracleTest {

    private final List<PhysicalEntity> world = List.of(
            entity("west", "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))", "zone/a"),
            entity("east", "POLYGON ((1 0, 2 0, 2 1, 1 1, 1 0))", "zone/b"),
            entity("through", "LINESTRING (0.5 0.5, 1.5 0.5)", "road/major"),
            entity("lane", "LINESTRING (0.1 0.1, 0.2 0.1)", "road/majority"),
            entity("d1", "POINT (0.5 0.5)", "detector"),
            entity("d2", "POINT (1.5 0.5)", "detector"),
            entity("d3", "POINT (0.9 0.9)", "detector", "lamp"),
            entity("far", "POINT (9 9)", "detector"));

    @Test
    void shouldReadRelationsAsCandidateRelationReference() {
        assertThat(resolve(one("west", "detector", related(Relation.WITHIN)))).containsExactly("d1", "d3");
        assertThat(resolve(one("west", "detector", related(Relation.CONTAINS)))).isEmpty();
        assertThat(resolve(one("d1", "zone", related(Relation.CONTAINS)))).containsExactly("west");
        assertThat(resolve(one("west", "road/major", related(Relation.CROSSES))))
                .containsExactly("through");
        assertThat(resolve(one("west", "zone", related(Relation.TOUCHES)))).containsExactly("east");
        assertThat(resolve(one("d1", "detector", related(Relation.DISJOINT)))).containsExactly("d2", "d3", "far");
        assertThat(resolve(one("west", "detector", dwithin(60_000)))).containsExactly("d1", "d2", "d3");
    }

    @Test
    void shouldSelectCategoriesByWholeLevels() {
        assertThat(resolve(one("west", "road/major", Condition.INTERSECTS))).containsExactly("through");
        assertThat(resolve(one("west", "road", Condition.INTERSECTS))).containsExactly("lane", "through");
        assertThat(resolve(one("west", "lamp", Condition.INTERSECTS))).containsExactly("d3");
    }

    @Test
    void shouldNeedOneReferenceThatMakesTheWholeExpressionTrue() {
        Condition inAndOut = new And(List.of(related(Relation.WITHIN), new Not(related(Relation.WITHIN))));
        assertThat(resolve(stages(List.of(stage(List.of("west", "east"), inAndOut, Quantifier.ANY)), List.of(0))))
                .isEmpty();
        assertThat(resolve(stages(
                        List.of(stage(List.of("west", "east"), new Not(related(Relation.WITHIN)), Quantifier.ANY)),
                        List.of(0))))
                .containsExactly("d1", "d2", "d3", "far");
        assertThat(resolve(stages(
                        List.of(stage(List.of("west", "east"), related(Relation.WITHIN), Quantifier.NONE)),
                        List.of(0))))
                .containsExactly("far");
        assertThat(resolve(
                        stages(List.of(stage(List.of("west", "east"), dwithin(60_000), Quantifier.ALL)), List.of(0))))
                .containsExactly("d1", "d2", "d3");
        assertThat(resolve(
                        one("west", "detector", new Or(List.of(related(Relation.WITHIN), related(Relation.EQUALS))))))
                .containsExactly("d1", "d3");
    }

    @Test
    void shouldFeedStagesFromEarlierOnesAndLeaveOutReferences() {
        Stage roads =
                new Stage(refs("west"), List.of(), categories("road/major"), related(Relation.CROSSES), Quantifier.ANY);
        Stage zones = new Stage(List.of(), List.of(0), categories("zone"), Condition.INTERSECTS, Quantifier.ANY);
        Stage withRoad =
                new Stage(List.of(), List.of(0), categories("zone", "road"), Condition.INTERSECTS, Quantifier.ANY);

        assertThat(resolve(stages(List.of(roads, zones), List.of(1)))).containsExactly("east", "west");
        assertThat(resolve(stages(List.of(roads, zones), List.of()))).containsExactly("east", "through", "west");
        assertThat(resolve(stages(List.of(roads, withRoad), List.of(1)))).containsExactly("east", "west");
        Stage nothing = new Stage(refs("far"), List.of(), categories("road"), Condition.INTERSECTS, Quantifier.ANY);
        assertThat(resolve(stages(List.of(nothing, zones), List.of(1)))).isEmpty();
    }

    @Test
    void shouldTakeGeometriesAsReferences() {
        Stage stage = new Stage(
                List.of(new Reference.ToGeometry("POLYGON ((1 0, 3 0, 3 1, 1 1, 1 0))")),
                List.of(),
                categories("detector"),
                related(Relation.COVERED_BY),
                Quantifier.ANY);
        assertThat(resolve(stages(List.of(stage), List.of()))).containsExactly("d2");
    }

    @Test
    void shouldExpectOneCopyForEachClientWithAllItsNeighborhoods() {
        NeighborhoodDescriptor west = one("west", "detector", related(Relation.WITHIN));
        NeighborhoodDescriptor lamps = one("west", "lamp", related(Relation.WITHIN));
        Oracle oracle = new Oracle(
                world,
                List.of(
                        Subscribed.neighborhood("a", "s/#", "w", west, 0),
                        Subscribed.neighborhood("a", "s/+/x", "l", lamps, 1),
                        Subscribed.plain("b", "s/#", 2),
                        Subscribed.neighborhood("c", "t/#", "w", west, 1),
                        new Subscribed("d", "s/#", "w", west, true, 1),
                        Subscribed.plain("e", "s/1/x", 0),
                        Subscribed.neighborhood("e", "s/1/x", "l", lamps, 0)));

        assertThat(oracle.expect(new Published("p1", "pub", "s/1/x", "d3", 1)))
                .containsExactly(
                        expected("p1", "a", 1, "l", "w"),
                        expected("p1", "b", 1),
                        expected("p1", "d", 1, "w"),
                        expected("p1", "e", 0, "l"));
        assertThat(oracle.expect(new Published("p2", "d", "s/1/y", "d1", 2)))
                .as("No Local keeps d from its own")
                .containsExactly(expected("p2", "a", 0, "w"), expected("p2", "b", 2));
        assertThat(oracle.expect(new Published("p3", "pub", "s/1/x", null, 0)))
                .as("without entity: plain subscriptions only")
                .containsExactly(expected("p3", "b", 0), expected("p3", "e", 0));
        assertThat(oracle.expect(new Published("p4", "pub", "s/1/x", "unknown", 0)))
                .containsExactly(expected("p4", "b", 0), expected("p4", "e", 0));
    }

    @Test
    void shouldRefuseReferencesThatDoNotExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolve(one("nowhere", "detector", Condition.INTERSECTS)))
                .withMessageContaining("nowhere");
    }

    private Set<String> resolve(NeighborhoodDescriptor descriptor) {
        return new Oracle(world, List.of()).resolve(descriptor);
    }

    private static Expected expected(String publication, String client, int qos, String... ids) {
        return new Expected(publication, client, new TreeSet<>(List.of(ids)), qos);
    }

    private static NeighborhoodDescriptor one(String reference, String category, Condition where) {
        return stages(
                List.of(new Stage(refs(reference), List.of(), categories(category), where, Quantifier.ANY)), List.of());
    }

    private static Stage stage(List<String> references, Condition where, Quantifier match) {
        return new Stage(refs(references.toArray(String[]::new)), List.of(), categories("detector"), where, match);
    }

    private static NeighborhoodDescriptor stages(List<Stage> stages, List<Integer> select) {
        return NeighborhoodDescriptor.canonical(stages, select);
    }

    private static List<Reference> refs(String... ids) {
        return List.of(ids).stream()
                .<Reference>map(id -> new Reference.ToEntity(EntityId.of(id)))
                .toList();
    }

    private static List<Category> categories(String... paths) {
        return List.of(paths).stream().map(Category::of).toList();
    }

    private static Condition related(Relation relation) {
        return new Related(relation, 0, null);
    }

    private static Condition dwithin(double metres) {
        return new Related(Relation.DWITHIN, metres, null);
    }

    private static PhysicalEntity entity(String id, String wkt, String... categories) {
        try {
            return new PhysicalEntity(
                    EntityId.of(id), new WKTReader().read(wkt), new TreeSet<>(OracleTest.categories(categories)));
        } catch (ParseException e) {
            throw new IllegalArgumentException(wkt, e);
        }
    }
}
