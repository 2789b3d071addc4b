package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.EntityId;

/**
 * A descriptor that is well formed and yet cannot be resolved in this world. The message names the JSON path, what is
 * wrong and what was expected, fit for a reason string.
 */
public final class UnresolvableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The kinds of refusal. */
    public enum Reason {
        /** A reference names an entity that the world does not have. */
        UNKNOWN_REFERENCE,
        /** The neighborhood has more entities than allowed. */
        TOO_MANY_ENTITIES,
        /** The resolution took longer than allowed. */
        TOO_SLOW
    }

    private final Reason reason;
    private final String path;

    private UnresolvableException(Reason reason, String path, String problem) {
        super(path + ": " + problem);
        this.reason = reason;
        this.path = path;
    }

    /** The path names the list: a canonical descriptor's order within it is not the sender's. */
    public static UnresolvableException unknownReference(int stage, EntityId id) {
        return new UnresolvableException(
                Reason.UNKNOWN_REFERENCE, "$.stages[" + stage + "].references", "unknown entity '" + id + "'");
    }

    /** The neighborhood is larger than {@code limits} allow. */
    public static UnresolvableException tooManyEntities(long entities, ResolutionLimits limits) {
        return new UnresolvableException(
                Reason.TOO_MANY_ENTITIES,
                "$",
                "neighborhood has " + entities + " entities, the limit is " + limits.maxEntities());
    }

    /** The resolution took longer than {@code limits} allow. */
    public static UnresolvableException tooSlow(ResolutionLimits limits) {
        return new UnresolvableException(
                Reason.TOO_SLOW,
                "$",
                "resolution took longer than the limit of " + limits.maxTime().toMillis() + " ms");
    }

    public Reason reason() {
        return reason;
    }

    /** JSON path of what is wrong. */
    public String path() {
        return path;
    }
}
