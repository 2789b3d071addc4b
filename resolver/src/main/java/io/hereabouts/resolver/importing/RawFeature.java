package io.hereabouts.resolver.importing;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/**
 * A feature as the format has it, before any rule.
 *
 * @param position where in the file, for people
 * @param id the feature's own id, if it has one
 * @param properties as text; a list of texts is one text with line feeds between them
 * @param geometry null if there is a {@code problem}
 * @param problem why there is no geometry, or null
 */
public record RawFeature(
        String position,
        @Nullable String id,
        Map<String, String> properties,
        @Nullable Geometry geometry,
        @Nullable Problem problem) {

    /** What separates the texts of a list. */
    public static final String LIST = "\n";

    /**
     * Why a feature has no geometry.
     *
     * @param reason in words
     */
    public record Problem(Kind kind, String reason) {}

    /** What kind of problem it is. */
    public enum Kind {
        /** The feature's form is wrong. */
        BAD,
        /** Something that the feature refers to is not in the file. */
        INCOMPLETE,
        /** The rules leave the feature out, so nobody looked at its geometry. */
        LEFT_OUT
    }

    /** A feature with a geometry. */
    public static RawFeature of(
            String position, @Nullable String id, Map<String, String> properties, Geometry geometry) {
        return new RawFeature(position, id, properties, geometry, null);
    }

    /** A feature without. */
    public static RawFeature without(
            Kind kind, String position, @Nullable String id, Map<String, String> properties, String reason) {
        return new RawFeature(position, id, properties, null, new Problem(kind, reason));
    }

    static RawFeature bad(String position, @Nullable String id, Map<String, String> properties, String reason) {
        return without(Kind.BAD, position, id, properties, reason);
    }

    /** The features of one file, in order. */
    public interface Source extends Closeable {

        /**
         * The next feature, or null after the last one.
         *
         * @throws IOException if what follows cannot be read; the message names file and position
         */
        @Nullable
        RawFeature next() throws IOException;
    }
}
