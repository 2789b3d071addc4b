package io.hereabouts.resolver.world;

import io.hereabouts.model.neighborhood.Quantifier;

/**
 * What is known of one candidate of a stage: the condition's value for the references that it is near to. For the other
 * references the value is {@link Locality#elsewhere()}. For one thread.
 */
public final class Tally {

    private int near;
    private boolean someTrue;
    private boolean someFalse;

    /** Counts one reference that is near, whatever the condition's value. */
    public void addNear() {
        near++;
    }

    /** Notes the condition's value for one of the references counted as near. */
    public void add(boolean value) {
        someTrue |= value;
        someFalse |= !value;
    }

    /**
     * True if the condition's value for further references that are near cannot change the outcome any more. All that
     * are near must have been counted before.
     */
    public boolean isSettled(Quantifier match, int references, boolean elsewhere) {
        boolean far = near < references;
        return match == Quantifier.ALL ? someFalse || (far && !elsewhere) : someTrue || (far && elsewhere);
    }

    /**
     * True if the candidate is in the stage.
     *
     * @param references how many references the stage has
     * @param elsewhere the condition's value for references that the candidate is not near to
     */
    public boolean isIn(Quantifier match, int references, boolean elsewhere) {
        boolean far = near < references;
        boolean anyTrue = someTrue || (far && elsewhere);
        boolean anyFalse = someFalse || (far && !elsewhere);
        return switch (match) {
            case ANY -> anyTrue;
            case ALL -> !anyFalse;
            case NONE -> !anyTrue;
        };
    }
}
