package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

final class OsmCategoriesTest {

    private static final GeometryFactory FACTORY = new GeometryFactory();
    private static final Geometry POINT = FACTORY.createPoint(new Coordinate(0, 0));
    private static final Geometry LINE =
            FACTORY.createLineString(new Coordinate[] {new Coordinate(0, 0), new Coordinate(1, 1)});

    @ParameterizedTest
    @CsvSource({
        "highway=motorway, road/major/motorway",
        "highway=motorway_link, road/major/motorway_link",
        "highway=trunk_link, road/major/trunk_link",
        "highway=primary, road/major/primary",
        "highway=secondary_link, road/minor/secondary_link",
        "highway=tertiary, road/minor/tertiary",
        "highway=residential, road/other/residential",
        "highway=service, road/other/service",
        "highway=construction, road/other/construction",
        "highway=footway, path/footway",
        "highway=cycleway, path/cycleway",
        "highway=pedestrian;area=yes, path/pedestrian",
        "highway=platform, transit/platform",
        "amenity=parking, parking/lot",
        "amenity=parking;parking=multi-storey, parking/multi-storey",
        "amenity=parking;parking=no, parking/lot",
        "amenity=parking_space, parking/space",
        "amenity=parking_entrance;parking=underground, parking/entrance",
        "amenity=bicycle_parking, amenity/bicycle_parking",
        "amenity=Fast Food, amenity/fast_food",
        "building=yes;amenity=school, amenity/school building/yes",
        "boundary=administrative;admin_level=9, boundary/administrative/9",
        "boundary=administrative, boundary/administrative/other",
        "landuse=a/b, landuse/a_b",
        "area:highway=footway, road-area/footway",
        "building=no, ''",
        "name=Platz, ''"
    })
    void shouldMapTags(String tags, String categories) {
        assertThat(of(tags, LINE)).isEqualTo(categories);
    }

    @ParameterizedTest
    @CsvSource({
        "highway=crossing, traffic/crossing",
        "highway=traffic_signals, traffic/traffic_signals",
        "highway=bus_stop;public_transport=platform, transit/bus_stop transit/platform"
    })
    void shouldKeepPointsApartFromRoads(String tags, String categories) {
        assertThat(of(tags, POINT)).isEqualTo(categories);
    }

    private static String of(String text, Geometry geometry) {
        Map<String, String> tags = new TreeMap<>();
        for (String tag : text.split(";", -1)) {
            tags.put(tag.substring(0, tag.indexOf('=')), tag.substring(tag.indexOf('=') + 1));
        }
        return OsmCategories.of(tags, geometry).stream().map(c -> c.path()).collect(Collectors.joining(" "));
    }
}
