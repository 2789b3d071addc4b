package io.hereabouts.perf.postgis;

import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;

/**
 * A kind of neighborhood, as a descriptor and as SQL.
 *
 * @param large whether the neighborhood grows with the world
 * @param reference what the first stage refers to
 * @param metres whether distances decide
 * @param stages the descriptor's, {@code REFERENCE} standing for the reference
 * @param selected index of the stage that makes the neighborhood
 * @param sql with the reference as its one parameter, gives ids
 */
record ResolveCase(
        String name, boolean large, Kind reference, boolean metres, String stages, int selected, String sql) {

    private static final DescriptorParser PARSER = new DescriptorParser(DescriptorLimits.DEFAULT);

    /** What a reference is, and how SQL is given it. */
    enum Kind {
        /** A zone of the world: its id. */
        ZONE,
        /** An area of the descriptor's own: WKT. */
        AREA
    }

    /** The descriptor for this zone or area. */
    NeighborhoodDescriptor descriptor(String of) {
        String json = reference == Kind.AREA ? "{\"wkt\": \"" + of + "\"}" : "\"" + of + "\"";
        try {
            return PARSER.parse(
                    "{\"stages\": [" + stages.replace("REFERENCE", json) + "], \"select\": [" + selected + "]}");
        } catch (InvalidDescriptorException e) {
            throw new IllegalStateException("a descriptor of the benchmark's own", e);
        }
    }
}
