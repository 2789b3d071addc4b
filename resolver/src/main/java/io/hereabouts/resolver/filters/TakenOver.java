package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.resolver.filters.Neighborhood.State;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.MissingEntities;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * What {@code filters} does not say about the neighborhoods in it: which of their references the world no longer has, and
 * whether the edges were told how they are; a former owner may have been killed before it told.
 *
 * <p>The world is asked once for all references. Until it has answered, who newly comes to a neighborhood with
 * references has it resolved. Then, as soon as all changes up to that answer are known, edges are told how each
 * neighborhood is that these do not touch; a repeat is nothing new to them. That is as many records as there are pairs
 * of a neighborhood and an edge, once in an ownership. For one thread.
 */
final class TakenOver {

    private final Neighborhoods neighborhoods;
    private final Function<String, Footprint> unresolved;

    /** Interests with a late record of a former owner in some partition. */
    private final Set<Interest> unsure;

    /** The version of the world from which on edges are told; the largest number if they are not to be told. */
    private long tellFrom = Long.MAX_VALUE;

    TakenOver(FilterInventory inventory, Neighborhoods neighborhoods, Function<String, Footprint> unresolved) {
        this.neighborhoods = neighborhoods;
        this.unresolved = unresolved;
        this.unsure = neighborhoods.takeOver(inventory);
    }

    /** True if this interest, which an edge holds, is in {@code filters} as it should be. */
    boolean isThere(Interest interest) {
        Neighborhood n = neighborhoods.get(interest.neighborhood());
        return n != null
                && n.state == State.ACTIVE
                && n.slices.equals(n.interests.get(interest))
                && !unsure.contains(interest);
    }

    /** What a neighborhood depends on; everything of its categories if only a former owner has resolved it. */
    Footprint footprint(Neighborhood n) {
        Footprint footprint = n.footprint == null ? unresolved.apply(n.descriptor) : n.footprint;
        n.footprint = footprint;
        return footprint;
    }

    /** True if it may be that nobody new should get the neighborhood: nobody knows whether its references are there. */
    boolean isDoubtful(Neighborhood n) {
        return n.unchecked && !footprint(n).named().isEmpty();
    }

    /** The references of what is held that nobody has looked for yet. */
    Set<EntityId> references() {
        Set<EntityId> references = new HashSet<>();
        for (Neighborhood n : neighborhoods.all()) {
            if (n.unchecked && n.isHeld()) {
                references.addAll(footprint(n).named());
            }
        }
        return references;
    }

    /** The world has said which of the {@link #references} it does not have. */
    void check(MissingEntities missing) {
        for (Neighborhood n : neighborhoods.all()) {
            if (n.unchecked && n.isHeld()) {
                n.unchecked = false;
                n.unknown = footprint(n).named().stream()
                        .filter(missing.ids()::contains)
                        .sorted()
                        .toList();
            }
        }
        tellFrom = missing.worldVersion();
    }

    /** Tells edges, once, how the neighborhoods are whose slices may be relied on. */
    void tell(long seen, Draft draft) {
        if (seen >= tellFrom) {
            tellFrom = Long.MAX_VALUE;
            for (Neighborhood n : neighborhoods.all()) {
                if (n.state == State.ACTIVE && !n.id.isEverywhere()) {
                    draft.tell(n);
                }
            }
        }
    }
}
