package io.hereabouts.resolver.exporting;

import static io.hereabouts.resolver.exporting.DocumentedPictures.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Relation;
import io.hereabouts.resolver.exporting.SceneLayer.Kind;
import io.hereabouts.resolver.exporting.SceneLayer.Thing;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.util.AffineTransformation;
import org.locationtech.jts.io.WKTReader;

/** The table of relations in docs/neighborhoods.md: each picture shows what its row says. */
final class DocumentedRelationsTest {

    private static final double WIDTH = 72;
    /** Degrees; six of them make a picture. */
    private static final double UNIT = 0.001;

    private static final String SQUARE = "POLYGON ((1 1, 5 1, 5 5, 1 5, 1 1))";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "equals     | " + SQUARE + " | " + SQUARE,
                "disjoint   | POLYGON ((0.5 0.5, 2 0.5, 2 2, 0.5 2, 0.5 0.5)) | POLYGON ((4 4, 5.5 4, 5.5 5.5, 4 5.5, 4 4))",
                "intersects | LINESTRING (0.5 2, 4 3.5) | POLYGON ((3 1, 5.5 1, 5.5 5, 3 5, 3 1))",
                "touches    | POLYGON ((0.5 1.5, 3 1.5, 3 4.5, 0.5 4.5, 0.5 1.5)) | POLYGON ((3 1.5, 5.5 1.5, 5.5 4.5, 3 4.5, 3 1.5))",
                "crosses    | LINESTRING (0.5 2, 5.5 4) | POLYGON ((2 1, 4 1, 4 5, 2 5, 2 1))",
                "within     | POLYGON ((2 2, 4 2, 4 4, 2 4, 2 2)) | " + SQUARE,
                "contains   | " + SQUARE + " | POLYGON ((2 2, 4 2, 4 4, 2 4, 2 2))",
                "overlaps   | POLYGON ((0.5 1.5, 3.8 1.5, 3.8 4.5, 0.5 4.5, 0.5 1.5)) | POLYGON ((2.2 1, 5.5 1, 5.5 5, 2.2 5, 2.2 1))",
                "covers     | " + SQUARE + " | LINESTRING (2 5, 4 5)",
                "coveredBy  | LINESTRING (2 5, 4 5) | " + SQUARE,
                "dwithin    | POINT (3 4) | LINESTRING (0.5 2.5, 5.5 2.5)",
                "relate     | LINESTRING (3 0.5, 3 5.5) | POLYGON ((3 1, 5.5 1, 5.5 5, 3 5, 3 1))",
            })
    void shouldBeSeenInItsPicture(String relation, String candidate, String reference) throws Exception {
        DocumentedPictures.shouldBe(picture(geometry(candidate), geometry(reference)), "relations/" + relation);
        List<String> cells = row(relation);
        assertThat(cells.get(0)).isEqualTo("![" + relation + "](images/relations/" + relation + ".svg)");

        List<String> holding = holding(geometry(candidate), geometry(reference));
        assertThat(holding).contains(relation);
        assertThat(cells.get(3))
                .isEqualTo(String.join(
                        ", ",
                        holding.stream()
                                .filter(other -> !other.equals(relation))
                                .map(other -> "`" + other + "`")
                                .toList()));
    }

    @Test
    void shouldBeAll() throws Exception {
        for (Relation relation : Relation.values()) {
            assertThat(row(relation.word())).hasSize(4);
        }
    }

    /** The cells of the page's row with this picture. */
    private static List<String> row(String relation) throws Exception {
        return Files.readAllLines(DOCS.resolve("neighborhoods.md")).stream()
                .filter(line -> line.startsWith("| ![" + relation + "]"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .findFirst()
                .orElseThrow();
    }

    /** The relations that the product finds between the two. */
    private static List<String> holding(Geometry candidate, Geometry reference) throws Exception {
        List<String> holding = new ArrayList<>();
        try (InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT)) {
            world.apply(ChangeSet.upsert(List.of(entity("candidate", candidate), entity("reference", reference))));
            for (Relation relation : Relation.values()) {
                String more =
                        switch (relation) {
                            case DWITHIN -> ", \"distance\": 200";
                            case RELATE -> ", \"pattern\": \"F1*******\"";
                            default -> "";
                        };
                String json = "{\"stages\": [{\"references\": [\"reference\"], \"categories\": [\"candidate\"], "
                        + "\"where\": {\"relation\": \"" + relation.word() + "\"" + more + "}}]}";
                if (!world.resolve(new DescriptorParser(DescriptorLimits.DEFAULT).parse(json))
                        .selected()
                        .isEmpty()) {
                    holding.add(relation.word());
                }
            }
        }
        return holding;
    }

    private static PhysicalEntity entity(String name, Geometry geometry) {
        return new PhysicalEntity(EntityId.of(name), geometry, new TreeSet<>(List.of(Category.of(name))));
    }

    private static String picture(Geometry candidate, Geometry reference) {
        MapBox box = new MapBox(new Envelope(0, 6 * UNIT, 0, 6 * UNIT), false);
        return MapDrawing.plain(
                new NeighborhoodScene(
                        box,
                        List.of(
                                layer(Kind.REFERENCES, "reference", reference),
                                layer(Kind.SELECTED_STAGE, "candidate", candidate))),
                WIDTH);
    }

    private static SceneLayer layer(Kind kind, String name, Geometry geometry) {
        return new SceneLayer(kind, 0, name, List.of(new Thing(name, name, geometry)));
    }

    private static Geometry geometry(String wkt) throws Exception {
        return AffineTransformation.scaleInstance(UNIT, UNIT).transform(new WKTReader().read(wkt));
    }
}
