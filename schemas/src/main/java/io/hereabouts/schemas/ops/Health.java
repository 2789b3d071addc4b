package io.hereabouts.schemas.ops;

import java.util.List;
import java.util.Locale;

/**
 * What a component answered. Immutable.
 *
 * @param component what it is called, e.g. {@code router}
 * @param reasons why it is not fine, a line each; empty if it is
 */
public record Health(String component, State state, List<String> reasons) {

    /** What is to be done about it. */
    public enum State {
        /** Nothing: it can do its work, if not at this moment. */
        LIVE,
        /** Nothing: it does its work. */
        READY,
        /** Wait, or see to the reason; it goes on by itself then. */
        NOT_READY,
        /** Start the process again: it will not recover. */
        DEAD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Health {
        reasons = List.copyOf(reasons);
        boolean fine = state == State.LIVE || state == State.READY;
        if (fine != reasons.isEmpty()) {
            throw new IllegalArgumentException(component + " is " + state + " for " + reasons.size() + " reasons");
        }
    }

    /** True if nothing is to be done. */
    public boolean isFine() {
        return reasons.isEmpty();
    }
}
