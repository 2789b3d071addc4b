package io.hereabouts.resolver.exporting;

import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;

/**
 * Draws what a descriptor means as SVG: the entities of each stage in a colour of their own, references, and in grey what lies
 * around them, with a legend and a scale. The same neighborhood in the same world gives the same text. No state.
 */
public final class NeighborhoodPicture {

    /** Of the map, in pixels; who shows the picture may scale it. */
    private static final double WIDTH = 560;

    private NeighborhoodPicture() {}

    /**
     * Looks at the entities and draws them. Memory and time are proportional to the neighborhood: of what lies around it no more
     * than 3000 entities are drawn.
     *
     * @param resolution of the descriptor, in this world
     * @return a whole SVG document
     */
    public static String svg(NeighborhoodDescriptor descriptor, Resolution resolution, WorldModel world)
            throws WorldUnavailableException {
        return MapDrawing.withLegend(NeighborhoodScene.of(descriptor, resolution, world), WIDTH);
    }
}
