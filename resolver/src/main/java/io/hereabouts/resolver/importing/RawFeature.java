package io.hereabouts.resolver.importing;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/**
 * A feature as the format has it, before any rule.
 *
 * @param id the feature's own id, if it has one
 * @param geometry null if there is {@code problem}
 * @param problem what is wrong with the feature's form, or null
 */
record RawFeature(
        String position,
        @Nullable String id,
        Map<String, String> properties,
        @Nullable Geometry geometry,
        @Nullable String problem) {

    static RawFeature bad(String position, @Nullable String id, Map<String, String> properties, String problem) {
        return new RawFeature(position, id, properties, null, problem);
    }

    /** The features of one file, in order. */
    interface Source extends AutoCloseable {

        /** The next feature, or null after the last one. */
        @Nullable
        RawFeature next() throws java.io.IOException;

        @Override
        void close() throws java.io.IOException;
    }
}
