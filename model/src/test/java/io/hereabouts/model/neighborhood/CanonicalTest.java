package io.hereabouts.model.neighborhood;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.Condition.And;
import io.hereabouts.model.neighborhood.Condition.Not;
import io.hereabouts.model.neighborhood.Condition.Or;
import io.hereabouts.model.neighborhood.Condition.Related;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTest {

    private static final Condition CROSSES = related(Relation.CROSSES);
    private static final Condition TOUCHES = related(Relation.TOUCHES);
    private static final Condition WITHIN = related(Relation.WITHIN);

    @Test
    void shouldWriteOneFixedText() {
        Stage first = new Stage(
                List.of(
                        new Reference.ToEntity(EntityId.of("zone/\"17\"\\")),
                        new Reference.ToGeometry("POINT (1 2)"),
                        new Reference.ToEntity(EntityId.of("a"))),
                List.of(),
                categories("road/major", "road"),
                new Or(List.of(TOUCHES, CROSSES)),
                Quantifier.ANY);
        Stage second = new Stage(
                List.of(), List.of(0), categories("parking"), new Related(Relation.DWITHIN, 50, null), Quantifier.NONE);

        assertThat(NeighborhoodDescriptor.canonical(List.of(first, second), List.of(1))
                        .canonicalText())
                .isEqualTo("{\"stages\":["
                        + "{\"references\":[\"a\",\"zone/\\\"17\\\"\\\\\",{\"wkt\":\"POINT (1 2)\"}],"
                        + "\"categories\":[\"road\"],"
                        + "\"where\":{\"or\":[{\"relation\":\"crosses\"},{\"relation\":\"touches\"}]}},"
                        + "{\"from\":[0],\"categories\":[\"parking\"],"
                        + "\"where\":{\"relation\":\"dwithin\",\"distance\":50},\"match\":\"none\"}"
                        + "],\"select\":[1]}");
    }

    /** Changing this value changes the identity of every neighborhood that anybody has subscribed to. */
    @Test
    void shouldKeepItsIdentityFromReleaseToRelease() {
        NeighborhoodId id = of(WITHIN).id();
        assertThat(of(WITHIN).canonicalText())
                .isEqualTo("{\"stages\":[{\"references\":[\"z\"],\"categories\":[\"road\"],"
                        + "\"where\":{\"relation\":\"within\"}}],\"select\":[0]}");
        assertThat(id.value()).isEqualTo("7f1fd28c81529c1b5d03701b3ef424d8");
        assertThat(Long.toHexString(id.handle())).isEqualTo(id.value().substring(0, 16));
    }

    @Test
    void shouldTakeSetLikeListsAsSets() {
        NeighborhoodDescriptor a =
                new Case(List.of("x", "y"), List.of("p", "q"), List.of(0, 1), List.of(2, 0)).descriptor();
        NeighborhoodDescriptor b = new Case(
                        List.of("y", "x", "y"), List.of("q", "p", "q"), List.of(1, 0, 1), List.of(0, 2, 2))
                .descriptor();
        assertThat(a).isEqualTo(b);
        assertThat(a.id()).isEqualTo(b.id());
        assertThat(a.stages().get(2).references()).hasSize(2);
        assertThat(a.select()).containsExactly(0, 2);
    }

    @Test
    void shouldDropCategoriesThatAnotherCovers() {
        assertThat(withCategories("road/major", "road", "parking", "roads")
                        .stages()
                        .get(0)
                        .categories())
                .extracting(Category::path)
                .containsExactly("parking", "road", "roads");
        assertThat(withCategories("road", "road/major")).isEqualTo(withCategories("road"));
        assertThat(withCategories("road/major", "road/majority").stages().get(0).categories())
                .hasSize(2);
    }

    @Test
    void shouldSelectAllStagesWhereNoneIsNamed() {
        Stage stage = of(WITHIN).stages().get(0);
        assertThat(NeighborhoodDescriptor.canonical(List.of(stage, stage), List.of()))
                .isEqualTo(NeighborhoodDescriptor.canonical(List.of(stage, stage), List.of(1, 0)));
    }

    @Test
    void shouldNotConfuseTheOrderOfStages() {
        Stage a = of(WITHIN).stages().get(0);
        Stage b = of(CROSSES).stages().get(0);
        assertThat(NeighborhoodDescriptor.canonical(List.of(a, b), List.of()).id())
                .isNotEqualTo(NeighborhoodDescriptor.canonical(List.of(b, a), List.of())
                        .id());
    }

    @ParameterizedTest
    @CsvSource({
        "50, 50",
        "50.0, 50",
        "5e1, 50",
        "0.5, 0.5",
        "1e21, 1000000000000000000000",
        "1e-7, 0.0000001",
        "1e300, 1E+300",
        "5e-324, 4.9E-324",
        "0, 0",
        "-0.0, 0",
        "123.456, 123.456"
    })
    void shouldWriteNumbersPlainAndShort(double metres, String text) {
        assertThat(of(new Related(Relation.DWITHIN, metres, null)).canonicalText())
                .contains("\"distance\":" + text + "}");
    }

    @Test
    void shouldFlattenNestedConditionsOfOneKindAndUnwrapSingleOnes() {
        Condition flat = new And(List.of(CROSSES, TOUCHES, WITHIN));
        assertSame(new And(List.of(new And(List.of(WITHIN, CROSSES)), TOUCHES)), flat);
        assertSame(new And(List.of(TOUCHES, new And(List.of(new And(List.of(WITHIN)), CROSSES)))), flat);
        assertSame(
                new Or(List.of(new Or(List.of(WITHIN, CROSSES)), TOUCHES)), new Or(List.of(CROSSES, TOUCHES, WITHIN)));
        assertSame(new And(List.of(WITHIN)), WITHIN);
        assertSame(new Or(List.of(new And(List.of(WITHIN)))), WITHIN);
        assertSame(new And(List.of(WITHIN, WITHIN)), WITHIN);
        assertSame(new Not(new Not(WITHIN)), WITHIN);
        assertSame(new Not(new Not(new Not(WITHIN))), new Not(WITHIN));
        assertSame(
                new Or(List.of(new And(List.of(new Or(List.of(CROSSES, TOUCHES)))), WITHIN)),
                new Or(List.of(CROSSES, TOUCHES, WITHIN)));
        assertSame(
                new Or(List.of(CROSSES, new Not(new Not(new Or(List.of(TOUCHES, WITHIN)))))),
                new Or(List.of(CROSSES, TOUCHES, WITHIN)));
    }

    @Test
    void shouldKeepApartWhatIsNotTheSame() {
        List<Condition> different = List.of(
                new And(List.of(CROSSES, TOUCHES)),
                new Or(List.of(CROSSES, TOUCHES)),
                new Not(new Or(List.of(CROSSES, TOUCHES))),
                CROSSES,
                new Not(CROSSES),
                new Related(Relation.DWITHIN, 1, null),
                new Related(Relation.DWITHIN, 2, null),
                new Related(Relation.RELATE, 0, "T*F**F***"),
                new Related(Relation.RELATE, 0, "T*F**FFF*"));
        assertThat(different).extracting(c -> of(c).id()).doesNotHaveDuplicates();
        assertThat(new Quantifier[] {Quantifier.ANY, Quantifier.ALL, Quantifier.NONE})
                .extracting(q -> NeighborhoodDescriptor.canonical(
                                List.of(new Stage(references("z"), List.of(), categories("road"), WITHIN, q)),
                                List.of())
                        .id())
                .doesNotHaveDuplicates();
        assertThat(withReference(new Reference.ToEntity(EntityId.of("POINT (1 2)")))
                        .id())
                .isNotEqualTo(
                        withReference(new Reference.ToGeometry("POINT (1 2)")).id());
    }

    @Test
    void shouldBeItsOwnCanonicalFormAndFreeOfOrderOnRandomConditions() {
        Random random = new Random(99);
        for (int i = 0; i < 5_000; i++) {
            Condition condition = condition(random, 4);
            NeighborhoodDescriptor once = of(condition);
            assertThat(NeighborhoodDescriptor.canonical(once.stages(), once.select()))
                    .isEqualTo(once);
            assertThat(of(shuffled(condition, random)).canonicalText()).isEqualTo(once.canonicalText());
            assertThat(truth(once.stages().get(0).where()))
                    .as("the meaning stays")
                    .isEqualTo(truth(condition));
        }
    }

    @Test
    void shouldRefuseIdsThatAreNone() {
        assertThat(NeighborhoodId.of("*")).isSameAs(NeighborhoodId.EVERYWHERE);
        assertThat(NeighborhoodId.EVERYWHERE.handle()).isZero();
        assertThat(NeighborhoodId.of("80000000000000000000000000000000").handle())
                .isEqualTo(Long.MIN_VALUE);
        for (String bad :
                List.of("", "**", "0123", "8000000000000000000000000000000G", "8000000000000000000000000000000A")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> NeighborhoodId.of(bad))
                    .withMessageContaining(bad);
        }
    }

    /** Which of the eight truths of three relations make the condition true. */
    private static List<Boolean> truth(Condition condition) {
        List<Boolean> answers = new ArrayList<>();
        for (int truths = 0; truths < 8; truths++) {
            answers.add(holds(condition, truths));
        }
        return answers;
    }

    private static boolean holds(Condition c, int truths) {
        return c.accept(new Condition.Visitor<Boolean>() {
            @Override
            public Boolean related(Related r) {
                int bit = r.relation() == Relation.CROSSES ? 0 : r.relation() == Relation.TOUCHES ? 1 : 2;
                return (truths >> bit & 1) == 1;
            }

            @Override
            public Boolean and(And and) {
                return and.all().stream().allMatch(p -> holds(p, truths));
            }

            @Override
            public Boolean or(Or or) {
                return or.any().stream().anyMatch(p -> holds(p, truths));
            }

            @Override
            public Boolean not(Not not) {
                return !holds(not.negated(), truths);
            }
        });
    }

    private static Condition condition(Random random, int depth) {
        int dice = depth == 0 ? random.nextInt(3) : random.nextInt(6);
        return switch (dice) {
            case 0 -> CROSSES;
            case 1 -> TOUCHES;
            case 2 -> WITHIN;
            case 3 -> new Not(condition(random, depth - 1));
            case 4 -> new And(conditions(random, depth - 1));
            default -> new Or(conditions(random, depth - 1));
        };
    }

    private static List<Condition> conditions(Random random, int depth) {
        List<Condition> parts = new ArrayList<>();
        for (int n = random.nextInt(1, 4); n > 0; n--) {
            parts.add(condition(random, depth));
        }
        return parts;
    }

    private static Condition shuffled(Condition condition, Random random) {
        if (condition instanceof And and) {
            return new And(shuffled(and.all(), random));
        }
        if (condition instanceof Or or) {
            return new Or(shuffled(or.any(), random));
        }
        return condition instanceof Not not ? new Not(shuffled(not.negated(), random)) : condition;
    }

    private static List<Condition> shuffled(List<Condition> parts, Random random) {
        List<Condition> copy = new ArrayList<>();
        parts.forEach(p -> copy.add(shuffled(p, random)));
        Collections.shuffle(copy, random);
        return copy;
    }

    private static void assertSame(Condition actual, Condition expected) {
        assertThat(of(actual)).isEqualTo(of(expected));
        assertThat(of(actual).canonicalText()).isEqualTo(of(expected).canonicalText());
    }

    private static NeighborhoodDescriptor of(Condition where) {
        return NeighborhoodDescriptor.canonical(
                List.of(new Stage(references("z"), List.of(), categories("road"), where, Quantifier.ANY)), List.of());
    }

    private static NeighborhoodDescriptor withCategories(String... paths) {
        return NeighborhoodDescriptor.canonical(
                List.of(new Stage(references("z"), List.of(), categories(paths), WITHIN, Quantifier.ANY)), List.of());
    }

    private static NeighborhoodDescriptor withReference(Reference reference) {
        return NeighborhoodDescriptor.canonical(
                List.of(new Stage(List.of(reference), List.of(), categories("road"), WITHIN, Quantifier.ANY)),
                List.of());
    }

    private static Condition related(Relation relation) {
        return new Related(relation, 0, null);
    }

    private static List<Reference> references(String... ids) {
        return List.of(ids).stream()
                .<Reference>map(id -> new Reference.ToEntity(EntityId.of(id)))
                .toList();
    }

    private static List<Category> categories(String... paths) {
        return List.of(paths).stream().map(Category::of).toList();
    }

    private record Case(List<String> references, List<String> categories, List<Integer> from, List<Integer> select) {
        NeighborhoodDescriptor descriptor() {
            Stage plain = of(WITHIN).stages().get(0);
            Stage stage = new Stage(
                    CanonicalTest.references(references.toArray(String[]::new)),
                    from,
                    CanonicalTest.categories(categories.toArray(String[]::new)),
                    WITHIN,
                    Quantifier.ANY);
            return NeighborhoodDescriptor.canonical(List.of(plain, plain, stage), select);
        }
    }
}
