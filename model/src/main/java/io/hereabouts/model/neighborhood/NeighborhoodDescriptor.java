package io.hereabouts.model.neighborhood;

import java.util.List;

/**
 * A neighborhood as a subscriber describes it: stages, and which of them enter the result. Make one with
 * {@link #canonical}; descriptors that mean the same but for key order, number form or the order of set-like lists are
 * then equal and have the same {@link #id()}. Immutable.
 *
 * @param stages at least one; a stage refers to earlier ones by index
 * @param select indexes of the stages that enter the neighborhood, sorted, at least one
 */
public record NeighborhoodDescriptor(List<Stage> stages, List<Integer> select) {

    public NeighborhoodDescriptor {
        stages = List.copyOf(stages);
        select = List.copyOf(select);
    }

    /** The canonical descriptor with the meaning of these stages. Its inputs must already be checked. */
    public static NeighborhoodDescriptor canonical(List<Stage> stages, List<Integer> select) {
        return Canonical.of(stages, select);
    }

    /** JSON without white space, keys in fixed order: what the identity is computed from, and a valid descriptor itself. */
    public String canonicalText() {
        return Canonical.text(this);
    }

    /** The identity: equal for descriptors that are the same neighborhood. */
    public NeighborhoodId id() {
        return NeighborhoodId.ofCanonical(canonicalText());
    }
}
