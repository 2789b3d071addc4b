package io.hereabouts.resolver.exporting;

import java.util.List;

/**
 * How the things of a layer look. Immutable.
 *
 * @param colour of outlines, lines and points
 * @param width of outlines and lines in pixels
 * @param fill opacity of areas
 * @param radius of points in pixels
 * @param dashes of outlines and lines as SVG has them; empty: none
 */
record LayerStyle(String colour, double width, double fill, double radius, String dashes) {

    /** Okabe and Ito's colours, which those can tell apart who see red and green alike. */
    private static final List<String> STAGES =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00");

    static LayerStyle of(SceneLayer layer) {
        String stage = STAGES.get(layer.stage() % STAGES.size());
        return switch (layer.kind()) {
            case SURROUNDINGS -> new LayerStyle("#c8c8c8", 1, 0.12, 2.5, "");
            case CANDIDATES -> new LayerStyle("#8c8c8c", 1.2, 0.08, 3, "");
            case REFERENCES -> new LayerStyle("#222222", 1.6, 0.05, 5, "6 3");
            case OTHER_STAGE -> new LayerStyle(stage, 1.6, 0.1, 4, "2 3");
            case SELECTED_STAGE -> new LayerStyle(stage, 2.4, 0.3, 4.5, "");
        };
    }
}
