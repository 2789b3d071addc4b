package io.hereabouts.schemas.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import io.hereabouts.model.entity.GeometryRules;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.Reference;
import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import org.locationtech.jts.geom.CoordinateFilter;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.PrecisionModel;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.io.WKTWriter;
import org.locationtech.jts.io.geojson.GeoJsonReader;

/** Geometries inside a descriptor: checked, without Z and M, in a normal form so that equal ones have equal text. */
final class InlineGeometry {

    /** Parentheses in parentheses; a MULTIPOLYGON has 3. Readers go down with the call stack. */
    private static final int MOST_NESTED = 32;

    /** A tenth of a nanometre. */
    private static final double NOTHING = 1e-15;

    /** Left to itself the writer rounds to 16 decimals, which near 0° is another place. */
    private static final PrecisionModel EVERY_DIGIT = new PrecisionModel() {
        private static final long serialVersionUID = 1L;

        @Override
        public int getMaximumSignificantDigits() {
            return 40;
        }
    };

    private InlineGeometry() {}

    static Reference fromWkt(JsonNode node, String path) throws InvalidDescriptorException {
        if (!node.isTextual()) {
            throw new InvalidDescriptorException(path, "expected WKT, found " + DescriptorParser.brief(node));
        }
        if (isNestedTooDeep(node.textValue())) {
            throw new InvalidDescriptorException(path, "nested deeper than " + MOST_NESTED);
        }
        try {
            StringReader text = new StringReader(node.textValue());
            Geometry geometry = new WKTReader().read(text);
            for (int c = text.read(); c >= 0; c = text.read()) {
                if (!Character.isWhitespace(c)) {
                    throw new InvalidDescriptorException(path, "not WKT: something follows the geometry");
                }
            }
            return checked(geometry, path);
        } catch (IOException | ParseException | RuntimeException e) {
            // WKTReader answers some malformed positions with an assertion of its own
            throw new InvalidDescriptorException(path, "not WKT: " + e.getMessage());
        }
    }

    private static boolean isNestedTooDeep(String wkt) {
        int depth = 0;
        for (int i = 0; i < wkt.length() && depth <= MOST_NESTED; i++) {
            char c = wkt.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return depth > MOST_NESTED;
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
        geometry.apply((CoordinateFilter) c -> c.setCoordinate(new CoordinateXY(settled(c.x), settled(c.y))));
        geometry.geometryChanged();
        Optional<String> problem = GeometryRules.problem(geometry);
        if (problem.isPresent()) {
            throw new InvalidDescriptorException(path, problem.get());
        }
        WKTWriter writer = new WKTWriter(2);
        writer.setPrecisionModel(EVERY_DIGIT);
        return new Reference.ToGeometry(writer.write(geometry.norm()));
    }

    /** 0 and -0 are one place and two texts, and what is next to nothing would be a very long text. */
    private static double settled(double degrees) {
        return Math.abs(degrees) < NOTHING ? 0 : degrees;
    }
}
