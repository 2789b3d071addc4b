package io.hereabouts.resolver.exporting;

import java.util.List;
import org.locationtech.jts.geom.Geometry;

/**
 * Things that look alike on a map. Immutable.
 *
 * @param stage index of the stage; 0 if it is no stage
 * @param caption what the legend says of it
 */
record SceneLayer(Kind kind, int stage, String caption, List<Thing> things) {

    /** From what lies at the bottom of the map to what lies on top. */
    enum Kind {
        SURROUNDINGS,
        /** Of a category that some stage asks for, and in no stage. */
        CANDIDATES,
        OTHER_STAGE,
        SELECTED_STAGE,
        REFERENCES;

        /** True for what the neighborhood is made of, not only surrounded by. */
        boolean isMeant() {
            return compareTo(CANDIDATES) > 0;
        }
    }

    /**
     * One of them.
     *
     * @param label short, drawn beside it where there is room
     * @param title shown when the mouse is over it
     */
    record Thing(String label, String title, Geometry geometry) {}

    SceneLayer {
        things = List.copyOf(things);
    }
}
