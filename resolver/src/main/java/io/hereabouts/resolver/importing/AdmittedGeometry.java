package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.GeometryRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.TopologyException;
import org.locationtech.jts.geom.util.GeometryFixer;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;
import org.locationtech.jts.io.WKBWriter;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/**
 * A geometry as an import lets it into a world: without Z and M, no collection, cut at the antimeridian, and right by
 * {@link GeometryRules}.
 *
 * @param repaired what was wrong with it, or null if nothing was
 */
record AdmittedGeometry(Geometry geometry, @Nullable String repaired) {

    /**
     * @param repair mend what {@link GeometryFixer} can mend
     * @throws IllegalArgumentException saying what is wrong
     */
    static AdmittedGeometry of(Geometry raw, boolean repair) {
        Geometry flat = withoutHeights(raw);
        refuseCollections(flat);
        try {
            return cut(flat, repair);
        } catch (TopologyException e) {
            throw new IllegalArgumentException("geometry cannot be cut or repaired: " + e.getMessage(), e);
        }
    }

    private static AdmittedGeometry cut(Geometry flat, boolean repair) {
        if (!Antimeridian.isUncut(flat)) {
            return admitted(flat, null, repair);
        }
        Geometry unrolled = Antimeridian.unrolled(flat);
        String problem = invalidity(unrolled);
        if (problem != null && !repair) {
            throw new IllegalArgumentException(problem);
        }
        return admitted(Antimeridian.cut(problem == null ? unrolled : fixed(unrolled, problem)), problem, repair);
    }

    private static AdmittedGeometry admitted(Geometry geometry, @Nullable String repaired, boolean repair) {
        Optional<String> problem = GeometryRules.problem(geometry);
        if (problem.isEmpty()) {
            return new AdmittedGeometry(geometry, repaired);
        }
        if (!repair || invalidity(geometry) == null) {
            throw new IllegalArgumentException(problem.get());
        }
        Geometry fixed = fixed(geometry, problem.get());
        Optional<String> still = GeometryRules.problem(fixed);
        if (still.isPresent()) {
            throw new IllegalArgumentException(still.get());
        }
        return new AdmittedGeometry(fixed, problem.get());
    }

    /** What is wrong with the topology, or null. */
    private static @Nullable String invalidity(Geometry geometry) {
        TopologyValidationError error = new IsValidOp(geometry).getValidationError();
        if (error == null) {
            return null;
        }
        Coordinate at = error.getCoordinate();
        return error.getMessage() + (at == null ? "" : " at " + at.x + " " + at.y);
    }

    private static Geometry fixed(Geometry geometry, String problem) {
        Geometry fixed = GeometryFixer.fix(geometry);
        if (fixed.isEmpty() || fixed.getDimension() < geometry.getDimension()) {
            throw new IllegalArgumentException(problem + "; it cannot be repaired: nothing would be left of it");
        }
        return fixed;
    }

    private static void refuseCollections(Geometry geometry) {
        if (geometry.getClass() == GeometryCollection.class && !geometry.isEmpty()) {
            throw new IllegalArgumentException("geometry is a GEOMETRYCOLLECTION of " + geometry.getNumGeometries()
                    + " parts, expected a point, line or area, or several of one kind");
        }
    }

    private static Geometry withoutHeights(Geometry raw) {
        Coordinate first = raw.getCoordinate();
        if (first == null || (Double.isNaN(first.getZ()) && Double.isNaN(first.getM()))) {
            return raw;
        }
        try {
            return new WKBReader(raw.getFactory()).read(new WKBWriter(2).write(raw));
        } catch (ParseException e) {
            throw new IllegalStateException("JTS cannot read what it wrote", e);
        }
    }
}
