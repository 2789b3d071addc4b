package io.hereabouts.resolver.importing.osm;

import io.hereabouts.resolver.importing.RawFeature;
import io.hereabouts.resolver.importing.RawFeature.Kind;
import io.hereabouts.resolver.importing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateXY;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** Puts features together from the places of their nodes. For one thread. */
final class OsmShapes {

    private static final int NAMED = 3;

    private final GeometryFactory factory = new GeometryFactory();
    private final NodeLocations locations;
    private final MemberWays members;

    OsmShapes(NodeLocations locations, MemberWays members) {
        this.locations = locations;
        this.members = members;
    }

    RawFeature node(long id, int lon, int lat, Map<String, String> tags, String position) {
        Coordinate at = new CoordinateXY(lon / 1e7, lat / 1e7);
        return RawFeature.of(position, "node/" + id, tags, factory.createPoint(at));
    }

    RawFeature way(long id, long[] nodes, Map<String, String> tags, String position) {
        String name = "way/" + id;
        List<String> missing = new ArrayList<>();
        Coordinate[] line = line(nodes, missing);
        if (line == null) {
            String reason = misses("way", missing, nodes.length, "nodes");
            return RawFeature.without(Kind.INCOMPLETE, position, name, tags, reason);
        }
        if (line.length < 2) {
            String reason = "way has " + line.length + " nodes, expected at least two";
            return RawFeature.without(Kind.BAD, position, name, tags, reason);
        }
        Geometry geometry = AreaRule.shape(nodes, tags) == Shape.AREA
                ? factory.createPolygon(line)
                : factory.createLineString(line);
        return RawFeature.of(position, name, tags, geometry);
    }

    RawFeature relation(AreaRelation relation) {
        String name = "relation/" + relation.id();
        Rings rings = new Rings(factory);
        List<String> missing = new ArrayList<>();
        List<String> missingNodes = new ArrayList<>();
        for (long way : relation.ways()) {
            long[] nodes = members.nodes(way);
            Coordinate[] line = nodes == null ? null : line(nodes, missingNodes);
            if (line == null) {
                missing.add("way/" + way);
            } else {
                rings.add(line);
            }
        }
        if (!missing.isEmpty()) {
            String reason = misses("relation", missing, relation.ways().length, "member ways or nodes of them");
            return RawFeature.without(Kind.INCOMPLETE, relation.position(), name, relation.tags(), reason);
        }
        try {
            return RawFeature.of(relation.position(), name, relation.tags(), rings.polygons());
        } catch (IllegalArgumentException e) {
            return RawFeature.without(
                    Kind.BAD, relation.position(), name, relation.tags(), String.valueOf(e.getMessage()));
        }
    }

    /** Null if a node is missing. */
    private Coordinate @Nullable [] line(long[] nodes, List<String> missing) {
        Coordinate[] line = new Coordinate[nodes.length];
        boolean whole = true;
        for (int i = 0; i < nodes.length; i++) {
            long place = locations.place(nodes[i]);
            if (place == NodeLocations.ABSENT) {
                missing.add("node/" + nodes[i]);
                whole = false;
            } else {
                line[i] = new CoordinateXY(NodeLocations.lon(place), NodeLocations.lat(place));
            }
        }
        return whole ? line : null;
    }

    private static String misses(String what, List<String> missing, int of, String members) {
        return what + " misses " + missing.size() + " of " + of + " " + members + ": "
                + missing.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (missing.size() > NAMED ? ", …" : "");
    }
}
