package io.hereabouts.resolver.exporting;

import static io.hereabouts.resolver.exporting.DocumentedPictures.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.exporting.SceneLayer.Kind;
import io.hereabouts.resolver.exporting.SceneLayer.Thing;
import io.hereabouts.resolver.importing.ReadFile;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The worked examples of docs/neighborhoods.md mean what the page says, and its pictures are what is drawn now. */
final class DocumentedNeighborhoodsTest {

    private static final InMemoryWorld TOWN = new InMemoryWorld(ResolutionLimits.DEFAULT);

    @BeforeAll
    static void build() throws Exception {
        Path examples = DOCS.resolve("examples");
        for (WorldFile file : WorldManifest.parse(Files.readString(examples.resolve("town.world.json")), examples)) {
            ReadFile read = ReadFile.of(file);
            assertThat(read.bad()).isEmpty();
            TOWN.apply(ChangeSet.upsert(read.entities().values()));
        }
    }

    @AfterAll
    static void close() {
        TOWN.close();
    }

    static List<DocumentedExample> examples() throws IOException {
        return DocumentedExample.of(Files.readString(DOCS.resolve("neighborhoods.md")), "Worked examples");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldMeanWhatThePageSays(DocumentedExample example) throws Exception {
        String json = Files.readString(DOCS.resolve("examples/neighborhoods/" + example.name() + ".json"));
        assertThat(example.json()).isEqualTo(json);

        NeighborhoodDescriptor descriptor = new DescriptorParser(DescriptorLimits.DEFAULT).parse(json);
        Resolution resolution = TOWN.resolve(descriptor);

        DocumentedPictures.shouldBe(
                NeighborhoodPicture.svg(descriptor, resolution, TOWN), "neighborhoods/" + example.name());
        assertThat(resolution.selected().stream().map(EntityId::value))
                .isNotEmpty()
                .containsExactlyElementsOf(example.means());
    }

    /** Not a neighborhood, but the town itself in the colours that categories happen to get. */
    @Test
    void shouldShowTheTown() throws Exception {
        List<String> categories = List.of("road", "sensor", "park", "school", "water", "parking", "stop", "quarter");
        List<SceneLayer> layers = new ArrayList<>();
        for (int i = 0; i < categories.size(); i++) {
            Category category = Category.of(categories.get(i));
            List<Thing> things = new ArrayList<>();
            TOWN.scan(entity -> {
                if (entity.isA(category)) {
                    things.add(new Thing(entity.id().value(), entity.id().value(), entity.geometry()));
                }
            });
            things.sort(Comparator.comparing(Thing::label));
            Kind kind =
                    switch (category.path()) {
                        case "quarter" -> Kind.CANDIDATES;
                        case "stop" -> Kind.REFERENCES;
                        default -> Kind.SELECTED_STAGE;
                    };
            layers.add(new SceneLayer(kind, i, category.path(), things));
        }
        assertThat(layers.stream().mapToInt(layer -> layer.things().size()).sum())
                .isEqualTo(21);
        MapBox box = MapBox.around(layers.stream()
                .flatMap(layer -> layer.things().stream())
                .map(Thing::geometry)
                .toList());
        DocumentedPictures.shouldBe(MapDrawing.withLegend(new NeighborhoodScene(box, layers), 560), "town");
    }

    @Test
    void shouldBeOnThePageAll() throws IOException {
        try (Stream<Path> files = Files.list(DOCS.resolve("examples/neighborhoods"))) {
            assertThat(examples().stream().map(example -> example.name() + ".json"))
                    .hasSizeGreaterThanOrEqualTo(10)
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString()).toList());
        }
    }
}
