package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.Puntal;

/**
 * Categories of OpenStreetMap features. A feature gets one for each of its tags that is in the table, so a church that is
 * also a building is both.
 *
 * <table>
 *   <caption>Tags and categories; value stands for the tag's value</caption>
 *   <tr><th>tag</th><th>category</th></tr>
 *   <tr><td>highway = motorway, trunk, primary and their _link</td><td>road/major/value</td></tr>
 *   <tr><td>highway = secondary, tertiary and their _link</td><td>road/minor/value</td></tr>
 *   <tr><td>highway = footway, cycleway, path, pedestrian, steps, bridleway, corridor, elevator, ladder,
 *     via_ferrata</td><td>path/value</td></tr>
 *   <tr><td>highway = bus_stop, platform</td><td>transit/value</td></tr>
 *   <tr><td>any other highway on a point (crossing, traffic_signals, street_lamp …)</td><td>traffic/value</td></tr>
 *   <tr><td>any other highway (residential, living_street, service, unclassified, track, busway,
 *     construction …)</td><td>road/other/value</td></tr>
 *   <tr><td>amenity = parking</td><td>parking/ value of parking, or lot</td></tr>
 *   <tr><td>amenity = parking_space, parking_entrance</td><td>parking/space, parking/entrance</td></tr>
 *   <tr><td>amenity = bicycle_parking, motorcycle_parking</td><td>amenity/value: parking is for cars</td></tr>
 *   <tr><td>boundary = administrative</td><td>boundary/administrative/ value of admin_level, or other</td></tr>
 *   <tr><td>public_transport</td><td>transit/value</td></tr>
 *   <tr><td>area:highway</td><td>road-area/value</td></tr>
 *   <tr><td>aerialway, aeroway, amenity, barrier, boundary, building, craft, emergency, healthcare, historic, landuse,
 *     leisure, man_made, military, natural, office, place, power, railway, shop, tourism,
 *     waterway</td><td>key/value</td></tr>
 * </table>
 *
 * <p>Values are lower-cased, of a list {@code a;b} the first counts, and what is neither letter, digit, {@code _}, {@code -}
 * nor {@code :} becomes {@code _}. The value {@code no} gives no category.
 */
final class OsmCategories {

    private static final Set<String> MAJOR =
            Set.of("motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link");
    private static final Set<String> MINOR = Set.of("secondary", "secondary_link", "tertiary", "tertiary_link");
    private static final Set<String> PATHS = Set.of(
            "footway",
            "cycleway",
            "path",
            "pedestrian",
            "steps",
            "bridleway",
            "corridor",
            "elevator",
            "ladder",
            "via_ferrata");
    private static final Set<String> STOPS = Set.of("bus_stop", "platform");
    private static final List<String> AS_THEY_ARE = List.of(
            "aerialway",
            "aeroway",
            "barrier",
            "building",
            "craft",
            "emergency",
            "healthcare",
            "historic",
            "landuse",
            "leisure",
            "man_made",
            "military",
            "natural",
            "office",
            "place",
            "power",
            "railway",
            "shop",
            "tourism",
            "waterway");

    private OsmCategories() {}

    static Set<Category> of(Map<String, String> tags, Geometry geometry) {
        Set<Category> categories = new TreeSet<>();
        String highway = value(tags, "highway");
        if (!highway.isEmpty()) {
            categories.add(Category.of(highway(highway, geometry instanceof Puntal) + "/" + highway));
        }
        String amenity = value(tags, "amenity");
        if (!amenity.isEmpty()) {
            categories.add(Category.of(amenity(amenity, tags)));
        }
        String boundary = value(tags, "boundary");
        if (!boundary.isEmpty()) {
            String level = value(tags, "admin_level");
            categories.add(Category.of(
                    boundary.equals("administrative")
                            ? "boundary/administrative/" + (level.isEmpty() ? "other" : level)
                            : "boundary/" + boundary));
        }
        addUnder("transit", "public_transport", tags, categories);
        addUnder("road-area", "area:highway", tags, categories);
        for (String key : AS_THEY_ARE) {
            addUnder(key, key, tags, categories);
        }
        return categories;
    }

    private static String highway(String value, boolean point) {
        if (MAJOR.contains(value)) {
            return "road/major";
        }
        if (MINOR.contains(value)) {
            return "road/minor";
        }
        if (PATHS.contains(value)) {
            return "path";
        }
        if (STOPS.contains(value)) {
            return "transit";
        }
        return point ? "traffic" : "road/other";
    }

    private static String amenity(String value, Map<String, String> tags) {
        return switch (value) {
            case "parking" -> {
                String kind = value(tags, "parking");
                yield "parking/" + (kind.isEmpty() ? "lot" : kind);
            }
            case "parking_space" -> "parking/space";
            case "parking_entrance" -> "parking/entrance";
            default -> "amenity/" + value;
        };
    }

    private static void addUnder(String parent, String key, Map<String, String> tags, Set<Category> categories) {
        String value = value(tags, key);
        if (!value.isEmpty()) {
            categories.add(Category.of(parent + "/" + value));
        }
    }

    /** The tag's value as a category level, or empty if the feature has no such tag. */
    private static String value(Map<String, String> tags, String key) {
        String raw = tags.getOrDefault(key, "").toLowerCase(Locale.ROOT);
        int list = raw.indexOf(';');
        String first = (list < 0 ? raw : raw.substring(0, list)).strip();
        if (first.equals("no")) {
            return "";
        }
        StringBuilder level = new StringBuilder(first.length());
        first.codePoints()
                .limit(64)
                .map(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == ':' ? c : '_')
                .forEach(level::appendCodePoint);
        return level.toString();
    }
}
