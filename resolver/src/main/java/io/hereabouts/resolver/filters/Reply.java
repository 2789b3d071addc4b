package io.hereabouts.resolver.filters;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request. An active one lists where its interest was written: the acknowledged
 * {@link Write.PutInterest} of this interest and request id in the same decision.
 *
 * @param outcome what became of it
 * @param worldVersion of the neighborhood's spatial filter, 0 if refused
 * @param entityCount of the neighborhood, 0 if refused
 * @param refusal null if active
 */
public record Reply(Request request, Outcome outcome, long worldVersion, int entityCount, @Nullable Refusal refusal) {

    /** What became of a request; the lower-case name is the tag of the counter. */
    public enum Outcome {
        /** The neighborhood was there already. */
        KNOWN,
        /** The neighborhood was resolved for this request, alone or with others. */
        NEW,
        /** A plain topic filter. */
        EVERYWHERE,
        /** Refused. */
        REFUSED
    }

    static Reply refused(Request request, Refusal refusal) {
        return new Reply(request, Outcome.REFUSED, 0, 0, refusal);
    }
}
