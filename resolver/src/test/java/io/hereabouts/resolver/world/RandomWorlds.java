package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.io.WKTWriter;
import org.locationtech.jts.operation.relateng.RelateNG;

/**
 * Random entities and descriptors from a seed: the seed alone decides. Categories have prefixes of one another that are
 * no parents. For one thread.
 */
final class RandomWorlds {

    private static final List<String> CATEGORIES =
            List.of("road/major/primary", "road/major/motorway", "road/minor", "road", "roadside", "zone", "zone/a");
    private static final List<String> WANTED =
            List.of("road", "road/major", "road/minor", "zone", "zone", "road", "roadside", "nothing");
    private static final List<String> PATTERNS = List.of(
            "T*F**F***", "FF*FF****", "F***1****", "T********", "*T*******", "FF*FF*0**", "**T**F***", "212101212");
    private static final double[] DISTANCES = {1.3, 41.7, 137.3, 512.9};
    private static final int MOST_STAGES = 4;

    private final Random random;
    private final RandomGeometries geometries;

    RandomWorlds(long seed) {
        this.random = new Random(seed);
        this.geometries = new RandomGeometries(random, RandomGeometries.Place.of(seed));
    }

    PhysicalEntity entity(int number) {
        TreeSet<Category> categories = new TreeSet<>();
        for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
            categories.add(Category.of(oneOf(CATEGORIES)));
        }
        return new PhysicalEntity(EntityId.of("e" + number), geometries.next(), categories);
    }

    /** A descriptor for a world that has entities 0 to {@code entities - 1}. */
    NeighborhoodDescriptor descriptor(int entities) {
        int count = 1 + random.nextInt(MOST_STAGES);
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stages.add(stage(i, entities));
        }
        List<Integer> select = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (random.nextBoolean()) {
                select.add(i);
            }
        }
        return NeighborhoodDescriptor.canonical(stages, select);
    }

    private Stage stage(int index, int entities) {
        List<Reference> references = new ArrayList<>();
        List<Integer> from = new ArrayList<>();
        for (int i = 0; i < index; i++) {
            if (random.nextBoolean()) {
                from.add(i);
            }
        }
        int own = random.nextInt(3);
        for (int i = 0; i < own || (from.isEmpty() && references.isEmpty()); i++) {
            references.add(
                    random.nextInt(4) == 0
                            ? new Reference.ToGeometry(
                                    new WKTWriter(2).write(geometries.next().norm()))
                            : new Reference.ToEntity(EntityId.of("e" + random.nextInt(entities))));
        }
        List<Category> categories = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            categories.add(Category.of(oneOf(WANTED)));
        }
        Quantifier match = random.nextInt(2) == 0 ? Quantifier.ANY : oneOf(List.of(Quantifier.values()));
        return new Stage(references, from, categories, condition(3), match);
    }

    private Condition condition(int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(6);
        return switch (kind) {
            case 3 -> new Condition.And(List.of(condition(depth - 1), condition(depth - 1)));
            case 4 -> new Condition.Or(List.of(condition(depth - 1), condition(depth - 1)));
            case 5 -> new Condition.Not(condition(depth - 1));
            default -> related();
        };
    }

    private Condition related() {
        Relation relation = oneOf(List.of(Relation.values()));
        double distance = relation == Relation.DWITHIN ? DISTANCES[random.nextInt(DISTANCES.length)] : 0;
        @Nullable String pattern = relation == Relation.RELATE ? pattern() : null;
        return new Condition.Related(relation, distance, pattern);
    }

    /** One of a list, or what two geometries of this world have in common, more or less of it. */
    private String pattern() {
        if (random.nextBoolean()) {
            return oneOf(PATTERNS);
        }
        StringBuilder pattern = new StringBuilder(
                RelateNG.relate(geometries.next(), geometries.next()).toString());
        for (int cell = 0; cell < pattern.length(); cell++) {
            int open = random.nextInt(4);
            if (open > 1) {
                pattern.setCharAt(cell, '*');
            } else if (open == 1 && pattern.charAt(cell) != 'F') {
                pattern.setCharAt(cell, 'T');
            }
        }
        return pattern.toString();
    }

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
