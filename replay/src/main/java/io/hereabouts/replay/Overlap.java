package io.hereabouts.replay;

/** Which of its two instants a local time is that comes twice, and has no offset. */
enum Overlap {
    /** The first. */
    EARLIER,
    /** The second. */
    LATER,
    /** As the rows of an entity follow each other in their file, see {@link OverlapOrder}. */
    ORDER
}
