package io.hereabouts.resolver.exporting;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryCollection;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/** A geometry as RFC 7946 §3.1 has it. No state. */
final class GeoJsonGeometryText {

    private GeoJsonGeometryText() {}

    static void write(Geometry geometry, JsonGenerator json) throws IOException {
        boolean mixed = geometry.getGeometryType().equals(Geometry.TYPENAME_GEOMETRYCOLLECTION);
        json.writeStartObject();
        json.writeStringField("type", geometry.getGeometryType());
        json.writeFieldName(mixed ? "geometries" : "coordinates");
        if (geometry instanceof GeometryCollection) {
            json.writeStartArray();
            for (int i = 0; i < geometry.getNumGeometries(); i++) {
                if (mixed) {
                    write(geometry.getGeometryN(i), json);
                } else {
                    coordinates(geometry.getGeometryN(i), json);
                }
            }
            json.writeEndArray();
        } else {
            coordinates(geometry, json);
        }
        json.writeEndObject();
    }

    private static void coordinates(Geometry geometry, JsonGenerator json) throws IOException {
        if (geometry instanceof Point) {
            position(geometry.getCoordinate(), json);
        } else if (geometry instanceof Polygon polygon) {
            json.writeStartArray();
            list(polygon.getExteriorRing(), json);
            for (int i = 0; i < polygon.getNumInteriorRing(); i++) {
                list(polygon.getInteriorRingN(i), json);
            }
            json.writeEndArray();
        } else {
            list(geometry, json);
        }
    }

    private static void list(Geometry line, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (Coordinate c : line.getCoordinates()) {
            position(c, json);
        }
        json.writeEndArray();
    }

    private static void position(Coordinate c, JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeNumber(c.x);
        json.writeNumber(c.y);
        json.writeEndArray();
    }
}
