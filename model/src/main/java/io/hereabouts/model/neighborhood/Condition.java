package io.hereabouts.model.neighborhood;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Boolean expression over spatial relations between one candidate and one reference. Immutable. */
public sealed interface Condition {

    /** Calls the method of {@code visitor} that fits this node. */
    <R> R accept(Visitor<R> visitor);

    /** What a stage without {@code where} means. */
    Condition INTERSECTS = new Related(Relation.INTERSECTS, 0, null);

    /**
     * One relation.
     *
     * @param distance metres, for {@link Relation#DWITHIN} only, else 0
     * @param pattern DE-9IM pattern of nine of {@code T F * 0 1 2}, for {@link Relation#RELATE} only, else null
     */
    record Related(Relation relation, double distance, @Nullable String pattern) implements Condition {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.related(this);
        }
    }

    /** True if all of the conditions are. */
    record And(List<Condition> all) implements Condition {
        public And {
            all = List.copyOf(all);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.and(this);
        }
    }

    /** True if one of the conditions is. */
    record Or(List<Condition> any) implements Condition {
        public Or {
            any = List.copyOf(any);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.or(this);
        }
    }

    /** True if the condition is not. */
    record Not(Condition negated) implements Condition {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.not(this);
        }
    }

    /** One method a kind of node. */
    interface Visitor<R> {
        R related(Related related);

        R and(And and);

        R or(Or or);

        R not(Not not);
    }
}
