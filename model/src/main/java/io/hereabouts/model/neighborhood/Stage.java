package io.hereabouts.model.neighborhood;

import io.hereabouts.model.entity.Category;
import java.util.List;

/**
 * One step of a neighborhood: entities of {@code categories} for which {@code match} of the references satisfy
 * {@code where}, minus the references themselves. Immutable.
 *
 * @param references references of its own; may be empty if {@code from} is not
 * @param from indexes of earlier stages whose results are references too
 * @param categories at least one; several mean OR
 */
public record Stage(
        List<Reference> references, List<Integer> from, List<Category> categories, Condition where, Quantifier match) {

    public Stage {
        references = List.copyOf(references);
        from = List.copyOf(from);
        categories = List.copyOf(categories);
    }
}
