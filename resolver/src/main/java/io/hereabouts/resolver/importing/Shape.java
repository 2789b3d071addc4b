package io.hereabouts.resolver.importing;

import org.locationtech.jts.geom.Geometry;

/** What a feature's geometry is, roughly: what rules about OpenStreetMap tags ask for. */
public enum Shape {
    POINT,
    LINE,
    AREA;

    /** By the highest dimension in the geometry. */
    static Shape of(Geometry geometry) {
        return switch (geometry.getDimension()) {
            case 2 -> AREA;
            case 1 -> LINE;
            default -> POINT;
        };
    }
}
