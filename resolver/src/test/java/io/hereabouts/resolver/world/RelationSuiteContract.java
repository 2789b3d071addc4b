package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.RelationQuestions.Question;
import io.hereabouts.testkit.data.PublishedData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Geometry;

/**
 * Every {@link WorldModel} answers the published relation tests of the JTS Topology Suite: each case's geometries are two
 * entities, each assertion is a stage of a descriptor.
 */
public abstract class RelationSuiteContract {

    private final RelationExceptions exceptions = RelationExceptions.read();
    private final List<String> wrong = new ArrayList<>();
    private int published;
    private int run;
    private int asked;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld() throws Exception;

    @Test
    void shouldAnswerEveryPublishedAssertion() throws Exception {
        Optional<Path> data = PublishedData.with("relations", "published relation tests");
        assumeTrue(data.isPresent(), "published relation tests");
        Map<String, List<Question>> cases = new LinkedHashMap<>();
        ChangeSet.Builder entities = ChangeSet.builder();
        for (RelationSuite.Case next : RelationSuite.in(data.get().resolve("relations"))) {
            published += next.assertions().size();
            List<Question> questions = questions(next);
            if (!questions.isEmpty()) {
                cases.put(next.name(), questions);
                entities.upsert(entity(next.name(), "a", next.a()));
                entities.upsert(entity(next.name(), "b", Objects.requireNonNull(next.b(), next.name())));
            }
        }
        try (WorldModel world = newWorld()) {
            world.apply(entities.build());
            for (Map.Entry<String, List<Question>> next : cases.entrySet()) {
                ask(world, next.getKey(), next.getValue());
            }
        }
        report();
        assertThat(exceptions.problems()).isEmpty();
        assertThat(wrong).isEmpty();
        assertThat(run).isGreaterThan(5_000);
    }

    /** Those that are to be asked: none if a geometry is not let in. */
    private List<Question> questions(RelationSuite.Case from) {
        List<RelationSuite.Assertion> served = new ArrayList<>();
        for (RelationSuite.Assertion assertion : from.assertions()) {
            if (RelationQuestions.served(assertion.operation()).isPresent()) {
                served.add(assertion);
            } else {
                exceptions.notServed(assertion.operation());
            }
        }
        if (served.isEmpty()) {
            return List.of();
        }
        Optional<String> problem =
                GeometryRules.problem(from.a()).or(() -> GeometryRules.problem(Objects.requireNonNull(from.b())));
        if (problem.isPresent()) {
            exceptions.refused(from.name(), problem.get(), served.size());
            return List.of();
        }
        run += served.size();
        return served.stream().flatMap(a -> RelationQuestions.of(a).stream()).toList();
    }

    private void ask(WorldModel world, String name, List<Question> questions) throws Exception {
        List<Stage> stages = new ArrayList<>();
        for (Question question : questions) {
            String candidate = question.candidateIsA() ? "a" : "b";
            String reference = question.candidateIsA() ? "b" : "a";
            stages.add(new Stage(
                    List.of(new Reference.ToEntity(id(name, reference))),
                    List.of(),
                    List.of(Category.of(name + "/" + candidate)),
                    question.condition(),
                    Quantifier.ANY));
        }
        Resolution resolution = world.resolve(NeighborhoodDescriptor.canonical(stages, List.of()));
        for (int i = 0; i < questions.size(); i++) {
            asked++;
            if (resolution.stages().get(i).isEmpty() == questions.get(i).expected()) {
                wrong.add(name + ": " + questions.get(i));
            }
        }
    }

    private void report() {
        System.out.printf(
                Locale.ROOT,
                "%s: %d assertions published, %d run as %d questions, %d questions passed, excepted %s%n",
                getClass().getSimpleName(),
                published,
                run,
                asked,
                asked - wrong.size(),
                exceptions.byReason());
    }

    private static PhysicalEntity entity(String name, String side, Geometry geometry) {
        return new PhysicalEntity(id(name, side), geometry, new TreeSet<>(List.of(Category.of(name + "/" + side))));
    }

    private static EntityId id(String name, String side) {
        return EntityId.of(name + "/" + side);
    }
}
