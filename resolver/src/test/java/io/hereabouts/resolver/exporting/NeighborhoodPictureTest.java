package io.hereabouts.resolver.exporting;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.io.WKTReader;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class NeighborhoodPictureTest {

    private static final String IN_ZONE =
            """
            {"stages": [{"references": ["zone"], "categories": ["detector"], "where": {"relation": "coveredBy"}}]}
            """;
    private static final String ZONE = "POLYGON ((0 0, 0.02 0, 0.02 0.02, 0 0.02, 0 0))";

    private final InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void shouldDrawEachEntityOnceInTheColourOfItsStage() throws Exception {
        add("zone", "zone", ZONE);
        add("street", "street", "LINESTRING (-0.01 0.01, 0.03 0.01)");
        add("d1", "detector", "POINT (0.01 0.0101)");
        add("d2", "detector", "POINT (0.011 0.0102)");
        add("d3", "detector", "POINT (0.021 0.001)");
        add("tree", "tree", "POINT (0.001 0.001)");
        add("far", "tree", "POINT (1 1)");

        Document picture = draw(
                """
                {"stages": [
                  {"references": ["zone"], "categories": ["street"], "where": {"relation": "crosses"}},
                  {"from": [0], "categories": ["detector", "street"], "where": {"relation": "dwithin", "distance": 50}}],
                 "select": [1]}
                """);

        assertThat(titles(picture))
                .containsExactlyInAnyOrder(
                        "zone\nzone",
                        "street\nstreet\nstage 0",
                        "d1\ndetector\nstage 1",
                        "d2\ndetector\nstage 1",
                        "d3\ndetector",
                        "tree\ntree");
        assertThat(texts(picture))
                .contains(
                        "1 reference",
                        "stage 0: 1 entity of street, not selected",
                        "stage 1: 2 entities of detector, street",
                        "1 candidate not taken",
                        "1 other entity nearby",
                        "d1",
                        "zone");
        assertThat(List.of(colour(picture, "street"), colour(picture, "d1"), colour(picture, "tree")))
                .doesNotHaveDuplicates();
        assertThat(colour(picture, "d1")).isEqualTo(colour(picture, "d2"));
    }

    @Test
    void shouldSeeAnEntityOfTwoStagesInTheOneThatIsSelected() throws Exception {
        add("zone", "zone", ZONE);
        add("a", "detector", "POINT (0.01 0.01)");
        add("b", "detector", "POINT (0.0101 0.01)");

        Document picture = draw(
                """
                {"stages": [
                  {"references": ["zone"], "categories": ["detector"], "where": {"relation": "within"}},
                  {"references": ["zone", "b"], "categories": ["detector"], "where": {"relation": "dwithin", "distance": 90}}],
                 "select": [0]}
                """);

        assertThat(titles(picture))
                .containsExactlyInAnyOrder("zone\nzone", "a\ndetector\nstage 0", "b\ndetector\nstage 0");
    }

    @Test
    void shouldLeaveHolesOpen() throws Exception {
        add(
                "zone",
                "zone",
                "POLYGON ((0 0, 0.02 0, 0.02 0.02, 0 0.02, 0 0), (0.01 0.01, 0.01 0.015, 0.015 0.015, 0.01 0.01))");

        Element zone = titled(draw(IN_ZONE), "zone");

        String path = ((Element) zone.getElementsByTagName("path").item(0)).getAttribute("d");
        assertThat(path.chars().filter(c -> c == 'M').count()).isEqualTo(2);
        assertThat(path.chars().filter(c -> c == 'Z').count()).isEqualTo(2);
        assertThat(((Element) zone.getParentNode()).getAttribute("fill-rule")).isEqualTo("evenodd");
    }

    @Test
    void shouldDrawPartsOfEveryKind() throws Exception {
        add("zone", "zone", ZONE);
        add("m", "detector", "MULTIPOINT ((0.001 0.001), (0.002 0.002), (0.003 0.003))");
        add("l", "detector", "MULTILINESTRING ((0.001 0.001, 0.002 0.001), (0.003 0.003, 0.004 0.004))");
        add(
                "c",
                "detector",
                "GEOMETRYCOLLECTION (POINT (0.01 0.01), LINESTRING (0.011 0.01, 0.012 0.01), POLYGON ((0.015 0.015, 0.016 0.015, 0.016 0.016, 0.015 0.015)))");

        Document picture = draw(IN_ZONE);

        assertThat(titled(picture, "m").getElementsByTagName("circle").getLength())
                .isEqualTo(3);
        assertThat(titled(picture, "l").getElementsByTagName("path").getLength())
                .isEqualTo(1);
        assertThat(titled(picture, "c").getElementsByTagName("circle").getLength())
                .isEqualTo(1);
        assertThat(titled(picture, "c").getElementsByTagName("path").getLength())
                .isEqualTo(2);
    }

    @Test
    void shouldEscapeWhatIdsMayHave() throws Exception {
        add("zone", "zone", ZONE);
        String id = "<a href=\"x\">&amp;'\uD83D\uDEB2";
        add(id, "detector", "POINT (0.01 0.01)");
        add("b\uFFFF", "detector", "POINT (0.01 0.012)");

        Document picture = draw(IN_ZONE);

        assertThat(titles(picture)).contains(id + "\ndetector\nstage 0", "b\uFFFD\ndetector\nstage 0");
        assertThat(texts(picture)).contains(id);
    }

    @Test
    void shouldDrawReferencesOfAnEmptyNeighborhood() throws Exception {
        Document picture = draw(
                """
                {"stages": [
                  {"references": [{"wkt": "POINT (13.4 52.5)"}], "categories": ["a"]},
                  {"from": [0], "categories": ["b"]}]}
                """);

        assertThat(titles(picture)).containsExactly("geometry of the descriptor, reference");
        assertThat(texts(picture))
                .contains("1 reference", "stage 0: 0 entities of a", "stage 1: 0 entities of b", "20 m");
    }

    @Test
    void shouldDrawNothingOfWhatIsGoneByNow() throws Exception {
        add("zone", "zone", ZONE);
        add("d1", "detector", "POINT (0.01 0.01)");
        NeighborhoodDescriptor descriptor = new DescriptorParser(DescriptorLimits.DEFAULT).parse(IN_ZONE);
        Resolution resolution = world.resolve(descriptor);
        world.apply(new ChangeSet(Map.of(), Set.of(EntityId.of("zone"), EntityId.of("d1"))));

        Document picture = parse(NeighborhoodPicture.svg(descriptor, resolution, world));

        assertThat(titles(picture)).isEmpty();
        assertThat(texts(picture)).contains("0 references", "stage 0: 1 entity of detector");
    }

    @ParameterizedTest
    @CsvSource({"3000, 3000 other entities nearby, 3001", "3001, not drawn: more than 3000 entities around them, 1"})
    void shouldLeaveOutSurroundingsThatAreTooMany(int trees, String legend, int drawn) throws Exception {
        add("zone", "zone", ZONE);
        List<PhysicalEntity> all = new ArrayList<>();
        for (int i = 0; i < trees; i++) {
            all.add(entity("tree/" + i, "tree", "POINT (0.01 " + i * 1e-6 + ")"));
        }
        world.apply(ChangeSet.upsert(all));

        Document picture = draw(IN_ZONE);

        assertThat(texts(picture)).contains(legend).doesNotContain("tree/1");
        assertThat(titles(picture)).hasSize(drawn);
    }

    @Test
    void shouldCutOffWhatIsFarOutsideTheMap() throws Exception {
        add("zone", "zone", ZONE);
        add("land", "country", "POLYGON ((-90 -60, 90 -60, 90 60, -90 60, -90 -60))");
        StringBuilder far = new StringBuilder();
        for (int i = 1; i <= 500; i++) {
            far.append(", ").append(i * 0.1).append(" ").append(i % 2);
        }
        add("highway", "road", "LINESTRING (-0.01 0.01, 0.01 0.01" + far + ")");

        Document picture = draw(IN_ZONE);

        assertThat(numbers(picture, "land")).hasSize(8).allSatisfy(number -> assertThat(Math.abs(number))
                .isLessThan(3000));
        assertThat(numbers(picture, "highway")).hasSizeBetween(4, 8);
    }

    @Test
    void shouldShowBothSidesOfTheAntimeridianAsOneMap() throws Exception {
        add(
                "zone",
                "zone",
                "MULTIPOLYGON (((179.9 0, 180 0, 180 0.1, 179.9 0.1, 179.9 0)), ((-180 0, -179.9 0, -179.9 0.1, -180 0.1, -180 0)))");
        add("east", "detector", "POINT (179.95 0.05)");
        add("west", "detector", "POINT (-179.95 0.05)");

        Document picture = draw(IN_ZONE);

        double between = x(titled(picture, "west")) - x(titled(picture, "east"));
        assertThat(between).isBetween(200.0, 400.0);
    }

    @Test
    void shouldHaveShapesAsTheyAreInTheMiddle() throws Exception {
        add("zone", "zone", "POLYGON ((10 60, 10.002 60, 10.002 60.001, 10 60.001, 10 60))");
        add("sw", "detector", "POINT (10 60)");
        add("se", "detector", "POINT (10.002 60)");
        add("nw", "detector", "POINT (10 60.001)");

        Document picture = draw(IN_ZONE);

        double east = x(titled(picture, "se")) - x(titled(picture, "sw"));
        double north = y(titled(picture, "sw")) - y(titled(picture, "nw"));
        assertThat(north).isPositive();
        // at 60° N two degrees of longitude are about as long as one of latitude
        assertThat(east / north).isBetween(0.99, 1.01);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1.9, 1", "2, 2", "4.9, 2", "7, 5", "99, 50", "1000, 1000", "260000, 200000"})
    void shouldHaveAScaleOfARoundLength(double room, double expected) {
        assertThat(MapLegend.longest(room)).isEqualTo(expected);
    }

    private void add(String id, String category, String wkt) throws Exception {
        world.apply(ChangeSet.upsert(List.of(entity(id, category, wkt))));
    }

    private static PhysicalEntity entity(String id, String category, String wkt) throws Exception {
        return new PhysicalEntity(
                EntityId.of(id), new WKTReader().read(wkt), new TreeSet<>(List.of(Category.of(category))));
    }

    private Document draw(String json) throws Exception {
        NeighborhoodDescriptor descriptor = new DescriptorParser(DescriptorLimits.DEFAULT).parse(json);
        return parse(NeighborhoodPicture.svg(descriptor, world.resolve(descriptor), world));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> elements(Document picture, String name) {
        NodeList nodes = picture.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static List<String> titles(Document picture) {
        return elements(picture, "title").stream().map(Element::getTextContent).toList();
    }

    private static List<String> texts(Document picture) {
        return elements(picture, "text").stream().map(Element::getTextContent).toList();
    }

    /** The group of shapes of one entity. */
    private static Element titled(Document picture, String id) {
        return elements(picture, "title").stream()
                .filter(title -> title.getTextContent().startsWith(id + "\n"))
                .map(title -> (Element) title.getParentNode())
                .findFirst()
                .orElseThrow();
    }

    private static List<Double> numbers(Document picture, String id) {
        String path =
                ((Element) titled(picture, id).getElementsByTagName("path").item(0)).getAttribute("d");
        return Arrays.stream(path.split("[MLZ ]+"))
                .filter(number -> !number.isEmpty())
                .map(Double::valueOf)
                .toList();
    }

    private static String colour(Document picture, String id) {
        return ((Element) titled(picture, id).getParentNode()).getAttribute("stroke");
    }

    private static double x(Element point) {
        return circle(point, "cx");
    }

    private static double y(Element point) {
        return circle(point, "cy");
    }

    private static double circle(Element point, String attribute) {
        return Double.parseDouble(
                ((Element) point.getElementsByTagName("circle").item(0)).getAttribute(attribute));
    }
}
