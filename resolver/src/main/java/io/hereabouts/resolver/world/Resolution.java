package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a neighborhood descriptor means in one version of the world. Immutable.
 *
 * @param worldVersion the version that all of it is from
 * @param stages the entities of each stage, by stage index; each list sorted and without repeats
 * @param selected the neighborhood: the union of the stages that the descriptor selects, sorted and without repeats
 * @param unknown references that the world does not have and that were left out, sorted
 * @param footprint what of the world it depended on
 */
public record Resolution(
        long worldVersion,
        List<List<EntityId>> stages,
        List<EntityId> selected,
        List<EntityId> unknown,
        Footprint footprint) {

    public Resolution {
        stages = stages.stream().map(List::copyOf).toList();
        selected = List.copyOf(selected);
        unknown = List.copyOf(unknown);
    }

    /** The resolution with these sorted stages and the union of those with the indexes {@code select}. */
    public static Resolution of(
            long worldVersion,
            List<List<EntityId>> stages,
            List<Integer> select,
            Collection<EntityId> unknown,
            Footprint footprint) {
        Stream<EntityId> all = select.stream().flatMap(i -> stages.get(i).stream());
        return new Resolution(
                worldVersion,
                stages,
                all.distinct().sorted().toList(),
                unknown.stream().sorted().toList(),
                footprint);
    }
}
