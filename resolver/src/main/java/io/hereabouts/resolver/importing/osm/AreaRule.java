package io.hereabouts.resolver.importing.osm;

import io.hereabouts.resolver.importing.Shape;
import java.util.Map;
import java.util.Set;

/**
 * Whether a closed way is a line or an area, which OpenStreetMap leaves to the tags. {@code area=yes} and
 * {@code area=no} decide; without them a road is a line, and a feature with one of the keys of areas is an area unless the
 * value says that it is something linear. No state.
 *
 * <p>Keys and values are those of osm-polygon-features, except that a closed {@code barrier} is a line: most of them are
 * fences around something.
 *
 * @see <a href="https://wiki.openstreetmap.org/wiki/Overpass_turbo/Polygon_Features">Polygon features</a>
 */
final class AreaRule {

    private static final Set<String> AREAS = Set.of(
            "amenity",
            "area:highway",
            "boundary",
            "building",
            "building:part",
            "craft",
            "golf",
            "healthcare",
            "historic",
            "indoor",
            "landuse",
            "office",
            "place",
            "public_transport",
            "ruins",
            "shop",
            "tourism");
    /** Areas but for these values. */
    private static final Map<String, Set<String>> AREAS_EXCEPT = Map.of(
            "aeroway", Set.of("runway", "taxiway"),
            "leisure", Set.of("track", "slipway"),
            "man_made", Set.of("cutline", "embankment", "pipeline"),
            "military", Set.of("trench"),
            "natural", Set.of("coastline", "cliff", "ridge", "arete", "tree_row"));
    /** Areas only with these values. */
    private static final Map<String, Set<String>> AREAS_ONLY = Map.of(
            "highway", Set.of("services", "rest_area", "escape", "elevator"),
            "power", Set.of("plant", "substation", "generator", "transformer"),
            "railway", Set.of("station", "turntable", "roundhouse", "platform"),
            "waterway", Set.of("riverbank", "dock", "boatyard", "dam"));

    private AreaRule() {}

    /** What a way is. */
    static Shape shape(long[] nodes, Map<String, String> tags) {
        boolean closed = nodes.length >= 4 && nodes[0] == nodes[nodes.length - 1];
        return closed && isArea(tags) ? Shape.AREA : Shape.LINE;
    }

    private static boolean isArea(Map<String, String> tags) {
        return switch (tags.getOrDefault("area", "")) {
            case "yes" -> true;
            case "no" -> false;
            default ->
                (!tags.containsKey("highway") || is("highway", tags))
                        && tags.keySet().stream().anyMatch(key -> is(key, tags));
        };
    }

    private static boolean is(String key, Map<String, String> tags) {
        String value = tags.getOrDefault(key, "no");
        if (value.equals("no")) {
            return false;
        }
        Set<String> except = AREAS_EXCEPT.get(key);
        if (except != null) {
            return !except.contains(value);
        }
        Set<String> only = AREAS_ONLY.get(key);
        return only == null ? AREAS.contains(key) : only.contains(value);
    }
}
