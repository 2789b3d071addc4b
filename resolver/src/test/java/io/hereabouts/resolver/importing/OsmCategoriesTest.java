package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OsmCategoriesTest {

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
        "railway=tram_stop, railway/tram_stop transit/tram_stop",
        "railway=rail, railway/rail",
        "amenity=bus_station, amenity/bus_station transit/bus_station",
        "name=Platz, ''"
    })
    void shouldMapTags(String tags, String categories) {
        assertThat(of(OsmCategories.standard(), tags, Shape.LINE)).isEqualTo(categories);
    }

    @ParameterizedTest
    @CsvSource({
        "highway=crossing, traffic/crossing",
        "highway=traffic_signals, traffic/traffic_signals",
        "highway=bus_stop;public_transport=platform, transit/bus_stop transit/platform"
    })
    void shouldKeepPointsApartFromRoads(String tags, String categories) {
        assertThat(of(OsmCategories.standard(), tags, Shape.POINT)).isEqualTo(categories);
    }

    @Test
    void shouldTakeTheFirstRuleThatFitsForEachTag() {
        OsmCategories own = OsmCategories.parse(
                """
                {"rules": [
                  {"keys": ["highway"], "values": ["service"], "category": []},
                  {"keys": ["highway"], "on": ["line"], "category": ["way/{value}", "way/lanes/{lanes}"]},
                  {"keys": ["highway"], "on": ["area"], "category": "square/{key}/{surface|unknown}"},
                  {"keys": ["highway"], "category": "other"},
                  {"keys": ["shop", "office"], "category": "work/{key}"}]}
                """);
        assertThat(of(own, "highway=service", Shape.LINE)).isEmpty();
        assertThat(of(own, "highway=primary;lanes=2", Shape.LINE)).isEqualTo("way/lanes/2 way/primary");
        assertThat(of(own, "highway=primary", Shape.LINE)).isEqualTo("other");
        assertThat(of(own, "highway=pedestrian", Shape.AREA)).isEqualTo("square/highway/unknown");
        assertThat(of(own, "highway=pedestrian;surface=sett", Shape.AREA)).isEqualTo("square/highway/sett");
        assertThat(of(own, "shop=no;office=yes", Shape.POINT)).isEqualTo("work/office");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | $.rules: expected at least one rule",
                "[] | OSM mapping: ",
                "{\"rules\":[{\"category\":\"a\"}]} | $.rules[0].keys: expected at least one key",
                "{\"rules\":[{\"keys\":[\"a\"]}]} | $.rules[0].category: missing",
                "{\"rules\":[{\"keys\":[\"a\"],\"category\":\"a//b\"}]} | $.rules[0].category: 'a//b': category 'a//b' has",
                "{\"rules\":[{\"keys\":[\"a\"],\"category\":\"{a\"}]} | $.rules[0].category: '{a' has a brace",
                "{\"rules\":[{\"keys\":[\"a\"],\"on\":\"sea\",\"category\":\"a\"}]} | not one of the values accepted",
                "{\"rules\":[{\"key\":\"a\"}]} | \"key\"",
                "{\"rules\": | OSM mapping: Unexpected end-of-input"
            })
    void shouldRefuseBadMapping(String text, String problem) {
        assertThatThrownBy(() -> OsmCategories.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    private static String of(OsmCategories categories, String text, Shape shape) {
        Map<String, String> tags = new TreeMap<>();
        for (String tag : text.split(";", -1)) {
            tags.put(tag.substring(0, tag.indexOf('=')), tag.substring(tag.indexOf('=') + 1));
        }
        return categories.apply(tags, shape).stream().map(c -> c.path()).collect(Collectors.joining(" "));
    }
}
