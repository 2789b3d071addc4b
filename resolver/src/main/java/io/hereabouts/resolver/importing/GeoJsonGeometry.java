package io.hereabouts.resolver.importing;

import com.fasterxml.jackson.databind.JsonNode;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/** A geometry of RFC 7946 §3.1. Whatever a position has beyond lon and lat is ignored. No state. */
final class GeoJsonGeometry {

    private static final GeometryFactory FACTORY = new GeometryFactory();
    private static final int MOST_NESTED = 8;

    private GeoJsonGeometry() {}

    /** @throws IllegalArgumentException saying what is wrong */
    static Geometry read(JsonNode node) {
        return read(node, 0);
    }

    private static Geometry read(JsonNode node, int depth) {
        if (!node.isObject()) {
            throw new IllegalArgumentException(node.isNull() ? "geometry is null" : "geometry is not an object");
        }
        String type = node.path("type").asText();
        JsonNode list = node.path(type.equals("GeometryCollection") ? "geometries" : "coordinates");
        if (!list.isArray()) {
            throw new IllegalArgumentException("geometry '" + type + "' has no list of coordinates");
        }
        return switch (type) {
            case "Point" -> FACTORY.createPoint(position(list));
            case "LineString" -> line(list);
            case "Polygon" -> polygon(list);
            case "MultiPoint" -> FACTORY.createMultiPointFromCoords(positions(list));
            case "MultiLineString" -> {
                LineString[] parts = new LineString[list.size()];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = line(list.get(i));
                }
                yield FACTORY.createMultiLineString(parts);
            }
            case "MultiPolygon" -> {
                Polygon[] parts = new Polygon[list.size()];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = polygon(list.get(i));
                }
                yield FACTORY.createMultiPolygon(parts);
            }
            case "GeometryCollection" -> {
                if (depth == MOST_NESTED) {
                    throw new IllegalArgumentException("geometry collections are nested too deep");
                }
                Geometry[] parts = new Geometry[list.size()];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = read(list.get(i), depth + 1);
                }
                yield FACTORY.createGeometryCollection(parts);
            }
            default -> throw new IllegalArgumentException("unknown geometry type '" + type + "'");
        };
    }

    private static LineString line(JsonNode list) {
        Coordinate[] positions = positions(list);
        if (positions.length == 1) {
            throw new IllegalArgumentException("line has one position, expected at least two");
        }
        return FACTORY.createLineString(positions);
    }

    private static Polygon polygon(JsonNode rings) {
        if (!rings.isArray()) {
            throw new IllegalArgumentException("polygon is not a list of rings");
        }
        if (rings.isEmpty()) {
            return FACTORY.createPolygon();
        }
        LinearRing[] holes = new LinearRing[rings.size() - 1];
        for (int i = 1; i < rings.size(); i++) {
            holes[i - 1] = ring(rings.get(i));
        }
        return FACTORY.createPolygon(ring(rings.get(0)), holes);
    }

    private static LinearRing ring(JsonNode list) {
        Coordinate[] positions = positions(list);
        if (positions.length < 4) {
            throw new IllegalArgumentException("ring has " + positions.length + " positions, expected at least four");
        }
        Coordinate first = positions[0];
        if (!first.equals2D(positions[positions.length - 1])) {
            throw new IllegalArgumentException("ring is not closed, it begins at " + first.x + " " + first.y);
        }
        return FACTORY.createLinearRing(positions);
    }

    private static Coordinate[] positions(JsonNode list) {
        if (!list.isArray()) {
            throw new IllegalArgumentException("expected a list of positions");
        }
        Coordinate[] positions = new Coordinate[list.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position(list.get(i));
        }
        return positions;
    }

    private static Coordinate position(JsonNode node) {
        if (!node.isArray()
                || node.size() < 2
                || !node.get(0).isNumber()
                || !node.get(1).isNumber()) {
            String text = node.toString();
            throw new IllegalArgumentException("expected a position [lon, lat], found "
                    + (text.length() > 60 ? text.substring(0, 57) + "..." : text));
        }
        return new CoordinateXY(node.get(0).doubleValue(), node.get(1).doubleValue());
    }

    /** The point with these coordinates. */
    static Point point(double lon, double lat) {
        return FACTORY.createPoint(new CoordinateXY(lon, lat));
    }
}
