package io.hereabouts.resolver.world;

/** What becomes of a reference that the world does not have. */
public enum UnknownReferences {
    /** The descriptor is refused: for somebody who has just written it. */
    REFUSE,
    /** It is left out: for a neighborhood that was resolved before, whose reference was deleted since. */
    LEAVE_OUT
}
