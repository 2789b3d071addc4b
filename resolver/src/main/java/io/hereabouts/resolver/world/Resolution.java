package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a neighborhood descriptor means in one version of the world. Immutable.
 *
 * @param worldVersion the version that all of it is from
 * @param stages the entities of each stage, by stage index; each list sorted and without repeats
 * @param selected the neighborhood: the union of the stages that the descriptor selects, sorted and without repeats
 */
public record Resolution(long worldVersion, List<List<EntityId>> stages, List<EntityId> selected) {

    public Resolution {
        stages = stages.stream().map(List::copyOf).toList();
        selected = List.copyOf(selected);
    }

    /** The resolution with these sorted stages and the union of those with the indexes {@code select}. */
    public static Resolution of(long worldVersion, List<List<EntityId>> stages, List<Integer> select) {
        Stream<EntityId> all = select.stream().flatMap(i -> stages.get(i).stream());
        return new Resolution(worldVersion, stages, all.distinct().sorted().toList());
    }
}
