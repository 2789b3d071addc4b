package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Makes a trial that fails smaller, greedily: the first smaller one that fails too is taken, until none does. Fewer
 * entities first, then a smaller descriptor. No state.
 */
final class Shrinker {

    private Shrinker() {}

    /** Whether a trial still fails. */
    interface Failing {
        boolean test(Trial trial) throws Exception;
    }

    static Trial shrink(Trial failing, Failing fails) throws Exception {
        Trial smallest = failing;
        for (Optional<Trial> next = Optional.of(failing); next.isPresent(); ) {
            smallest = next.get();
            next = Optional.empty();
            for (Trial smaller : smaller(smallest)) {
                if (fails.test(smaller)) {
                    next = Optional.of(smaller);
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<Trial> smaller(Trial trial) {
        List<Trial> smaller = new ArrayList<>();
        Set<EntityId> named = new HashSet<>();
        for (Stage stage : trial.descriptor().stages()) {
            for (Reference reference : stage.references()) {
                if (reference instanceof Reference.ToEntity entity) {
                    named.add(entity.id());
                }
            }
        }
        List<PhysicalEntity> entities = trial.entities();
        int half = entities.size() / 2;
        addWithout(smaller, trial, entities.subList(0, half), named);
        addWithout(smaller, trial, entities.subList(half, entities.size()), named);
        for (PhysicalEntity entity : entities) {
            addWithout(smaller, trial, List.of(entity), named);
        }
        for (int i = 0; i < entities.size(); i++) {
            for (Category only : entities.get(i).categories()) {
                if (entities.get(i).categories().size() > 1) {
                    smaller.add(new Trial(with(only, i, entities), trial.descriptor()));
                }
            }
        }
        for (NeighborhoodDescriptor descriptor : smaller(trial.descriptor())) {
            smaller.add(new Trial(entities, descriptor));
        }
        for (PhysicalEntity entity : entities) {
            for (NeighborhoodDescriptor descriptor : from(entity, trial.descriptor())) {
                smaller.add(new Trial(entities, descriptor));
            }
        }
        return smaller;
    }

    /** With one entity in place of all that a stage has from earlier ones. */
    private static List<NeighborhoodDescriptor> from(PhysicalEntity entity, NeighborhoodDescriptor descriptor) {
        List<NeighborhoodDescriptor> replaced = new ArrayList<>();
        for (int i = 0; i < descriptor.stages().size(); i++) {
            Stage stage = descriptor.stages().get(i);
            if (!stage.from().isEmpty()) {
                List<Stage> stages = new ArrayList<>(descriptor.stages());
                stages.set(i, with(stage, List.of(new Reference.ToEntity(entity.id())), List.of(), stage.where()));
                replaced.add(NeighborhoodDescriptor.canonical(stages, descriptor.select()));
            }
        }
        return replaced;
    }

    private static void addWithout(
            List<Trial> smaller, Trial trial, List<PhysicalEntity> removed, Set<EntityId> named) {
        List<PhysicalEntity> left = new ArrayList<>(trial.entities());
        left.removeIf(e -> removed.contains(e) && !named.contains(e.id()));
        if (left.size() < trial.entities().size()) {
            smaller.add(new Trial(left, trial.descriptor()));
        }
    }

    private static List<NeighborhoodDescriptor> smaller(NeighborhoodDescriptor descriptor) {
        List<NeighborhoodDescriptor> smaller = new ArrayList<>();
        List<Stage> stages = descriptor.stages();
        for (int i = 0; i < stages.size(); i++) {
            List<Stage> left = without(stages, i);
            if (!left.isEmpty()) {
                smaller.add(NeighborhoodDescriptor.canonical(left, List.of()));
            }
            for (Stage stage : smaller(stages.get(i))) {
                List<Stage> changed = new ArrayList<>(stages);
                changed.set(i, stage);
                smaller.add(NeighborhoodDescriptor.canonical(changed, descriptor.select()));
            }
        }
        if (descriptor.select().size() < stages.size()) {
            smaller.add(NeighborhoodDescriptor.canonical(stages, List.of()));
        }
        return smaller;
    }

    /** Without one stage; what was only from there is gone too. */
    private static List<Stage> without(List<Stage> stages, int removed) {
        List<Stage> left = new ArrayList<>();
        int[] moved = new int[stages.size()];
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            List<Integer> from = stage.from().stream()
                    .filter(f -> moved[f] >= 0)
                    .map(f -> moved[f])
                    .toList();
            boolean gone = i == removed || (from.isEmpty() && stage.references().isEmpty());
            moved[i] = gone ? -1 : left.size();
            if (!gone) {
                left.add(with(stage, stage.references(), from, stage.where()));
            }
        }
        return left;
    }

    private static List<Stage> smaller(Stage stage) {
        List<Stage> smaller = new ArrayList<>();
        for (Condition where : smaller(stage.where())) {
            smaller.add(with(stage, stage.references(), stage.from(), where));
        }
        if (stage.references().size() + stage.from().size() > 1) {
            for (int i = 0; i < stage.references().size(); i++) {
                smaller.add(with(stage, without(i, stage.references()), stage.from(), stage.where()));
            }
            for (int i = 0; i < stage.from().size(); i++) {
                smaller.add(with(stage, stage.references(), without(i, stage.from()), stage.where()));
            }
        }
        for (int i = 0; stage.categories().size() > 1 && i < stage.categories().size(); i++) {
            smaller.add(new Stage(
                    stage.references(), stage.from(), without(i, stage.categories()), stage.where(), stage.match()));
        }
        if (stage.match() != Quantifier.ANY) {
            smaller.add(new Stage(stage.references(), stage.from(), stage.categories(), stage.where(), Quantifier.ANY));
        }
        return smaller;
    }

    private static List<Condition> smaller(Condition condition) {
        return condition.accept(new Condition.Visitor<>() {
            @Override
            public List<Condition> related(Condition.Related related) {
                return List.of();
            }

            @Override
            public List<Condition> and(Condition.And and) {
                return parts(and.all(), Condition.And::new);
            }

            @Override
            public List<Condition> or(Condition.Or or) {
                return parts(or.any(), Condition.Or::new);
            }

            @Override
            public List<Condition> not(Condition.Not not) {
                List<Condition> smaller = new ArrayList<>(List.of(not.negated()));
                not.negated().accept(this).forEach(c -> smaller.add(new Condition.Not(c)));
                return smaller;
            }

            private List<Condition> parts(
                    List<Condition> parts, java.util.function.Function<List<Condition>, Condition> joined) {
                List<Condition> smaller = new ArrayList<>(parts);
                for (int i = 0; i < parts.size(); i++) {
                    if (parts.size() > 2) {
                        smaller.add(joined.apply(without(i, parts)));
                    }
                    for (Condition part : parts.get(i).accept(this)) {
                        List<Condition> changed = new ArrayList<>(parts);
                        changed.set(i, part);
                        smaller.add(joined.apply(changed));
                    }
                }
                return smaller;
            }
        });
    }

    private static Stage with(Stage stage, List<Reference> references, List<Integer> from, Condition where) {
        return new Stage(references, from, stage.categories(), where, stage.match());
    }

    private static List<PhysicalEntity> with(Category only, int index, List<PhysicalEntity> entities) {
        List<PhysicalEntity> changed = new ArrayList<>(entities);
        PhysicalEntity entity = entities.get(index);
        changed.set(index, new PhysicalEntity(entity.id(), entity.geometry(), new TreeSet<>(List.of(only))));
        return changed;
    }

    private static <T> List<T> without(int index, List<T> list) {
        return IntStream.range(0, list.size())
                .filter(i -> i != index)
                .mapToObj(list::get)
                .toList();
    }
}
