package io.hereabouts.model.entity;

import java.util.Optional;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/**
 * Which geometries are let in, whoever brings them: an import, or a descriptor with a geometry of its own. What PostGIS
 * and JTS answer differently (EMPTY, lines without length) stays outside.
 */
public final class GeometryRules {

    private GeometryRules() {}

    /** What is wrong with the geometry, in words that name the place, or empty. */
    public static Optional<String> problem(Geometry geometry) {
        if (geometry.isEmpty()) {
            return Optional.of("geometry is EMPTY");
        }
        for (Coordinate c : geometry.getCoordinates()) {
            if (!Double.isFinite(c.x) || !Double.isFinite(c.y)) {
                return Optional.of("coordinate " + c.x + " " + c.y + " is not finite");
            }
            if (Math.abs(c.x) > 180 || Math.abs(c.y) > 90) {
                return Optional.of("coordinate " + c.x + " " + c.y + " is outside lon -180..180, lat -90..90");
            }
        }
        TopologyValidationError error = new IsValidOp(geometry).getValidationError();
        if (error != null) {
            Coordinate at = error.getCoordinate();
            return Optional.of(error.getMessage() + (at == null ? "" : " at " + at.x + " " + at.y));
        }
        return problemOfParts(geometry);
    }

    /** What {@link IsValidOp} lets through: EMPTY parts, however deep they are nested. */
    private static Optional<String> problemOfParts(Geometry geometry) {
        if (geometry.isEmpty()) {
            return Optional.of("geometry has an EMPTY part");
        }
        for (int i = 0; geometry instanceof GeometryCollection && i < geometry.getNumGeometries(); i++) {
            Optional<String> problem = problemOfParts(geometry.getGeometryN(i));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }
}
