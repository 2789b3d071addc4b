package io.hereabouts.schemas.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.Reference;
import java.util.Optional;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.io.WKTWriter;
import org.locationtech.jts.io.geojson.GeoJsonReader;

/** Geometries inside a descriptor: checked, without Z and M, in a normal form so that equal ones have equal text. */
final class InlineGeometry {

    private InlineGeometry() {}

    static Reference fromWkt(JsonNode node, String path) throws InvalidDescriptorException {
        if (!node.isTextual()) {
            throw new InvalidDescriptorException(path, "expected WKT, found " + DescriptorParser.brief(node));
        }
        try {
            return checked(new WKTReader().read(node.textValue()), path);
        } catch (ParseException | IllegalArgumentException e) {
            throw new InvalidDescriptorException(path, "not WKT: " + e.getMessage());
        }
    }

    static Reference fromGeoJson(JsonNode node, String path) throws InvalidDescriptorException {
        if (!node.isObject()) {
            throw new InvalidDescriptorException(
                    path, "expected a GeoJSON geometry, found " + DescriptorParser.brief(node));
        }
        try {
            return checked(new GeoJsonReader().read(node.toString()), path);
        } catch (ParseException | RuntimeException e) {
            // GeoJsonReader answers some malformed coordinates with ClassCastException or NullPointerException
            throw new InvalidDescriptorException(path, "not a GeoJSON geometry: " + e.getMessage());
        }
    }

    private static Reference checked(Geometry geometry, String path) throws InvalidDescriptorException {
        Optional<String> problem = GeometryRules.problem(geometry);
        if (problem.isPresent()) {
            throw new InvalidDescriptorException(path, problem.get());
        }
        return new Reference.ToGeometry(new WKTWriter(2).write(geometry.norm()));
    }
}
