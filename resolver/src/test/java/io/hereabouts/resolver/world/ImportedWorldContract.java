package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.exporting.GeoJsonExport;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.ReadFile;
import io.hereabouts.resolver.importing.manifest.FileFormats;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of files that are imported into a world, whichever it is. */
public abstract class ImportedWorldContract {

    private static final ImportRules RULES =
            new ImportRules(IdRule.ofFeature(), CategoryRule.ofProperty("categories", ""), RepeatedIds.LAST_WINS);

    @TempDir
    private Path folder;

    private WorldModel world;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld(ResolutionLimits limits) throws Exception;

    @BeforeEach
    void openWorld() throws Exception {
        world = newWorld(ResolutionLimits.DEFAULT);
    }

    @AfterEach
    void closeWorld() {
        world.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // cut, on beyond 180, with a jump
                "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[170,0],[180,0],[180,10],[170,10],[170,0]]],[[[-180,0],[-170,0],[-170,10],[-180,10],[-180,0]]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[170,0],[190,0],[190,10],[170,10],[170,0]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[170,0],[-170,0],[-170,10],[170,10],[170,0]]]}"
            })
    void shouldRelateOverTheAntimeridian(String polygon) throws Exception {
        importText(String.join(
                "\n",
                feature("zone", "zone", polygon),
                feature("in-east", "pole", point(-175)),
                feature("in-west", "pole", point(175)),
                feature("out-east", "pole", point(-165)),
                feature("out-west", "pole", point(165)),
                feature("other-side", "pole", point(0)),
                feature("ferry", "ferry", "{\"type\":\"LineString\",\"coordinates\":[[165,5],[-165,5]]}"),
                feature("train", "ferry", "{\"type\":\"LineString\",\"coordinates\":[[-165,15],[165,20]]}")));

        assertThat(resolve("pole", "{\"relation\":\"within\"}")).containsExactly("in-east", "in-west");
        assertThat(resolve("pole", "{\"relation\":\"disjoint\"}"))
                .containsExactly("other-side", "out-east", "out-west");
        // 5° at the latitude of 5° are about 554.5 km
        assertThat(resolve("pole", "{\"relation\":\"dwithin\",\"distance\":560000}"))
                .containsExactly("in-east", "in-west", "out-east", "out-west");
        assertThat(resolve("ferry", "{\"relation\":\"crosses\"}")).containsExactly("ferry");
    }

    @Test
    void shouldReplaceWhatIsImportedAgain() throws Exception {
        importText(feature("zone", "zone", point(1)) + "\n" + feature("a", "pole", point(2)));
        importText(feature("a", "mast", point(3)));
        importText(feature("a", "mast", point(3)));
        assertThat(export()).isEqualTo(exported(feature("a", "mast", point(3)), feature("zone", "zone", point(1))));
    }

    @Test
    void shouldExportWhatItsImportMakesAgain() throws Exception {
        importText(feature("a", "pole\",\"mast/high", point(0.1 + 0.2)) + "\n"
                + feature("b", "zone", "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1e-7,0],[0,1e-7],[0,0]]]}"));
        String before = export();
        world.apply(ChangeSet.delete(List.of(EntityId.of("a"), EntityId.of("b"))));
        assertThat(export()).isEmpty();
        importText(before);
        assertThat(before).contains("0.30000000000000004", "[\"mast/high\",\"pole\"]");
        assertThat(export()).isEqualTo(before);
    }

    private static String exported(String... features) {
        StringBuilder text = new StringBuilder();
        for (String feature : features) {
            text.append('\u001e').append(feature).append('\n');
        }
        return text.toString();
    }

    private void importText(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("import.geojson"), text);
        ReadFile read = ReadFile.of(FileFormats.of(file, null, RULES));
        assertThat(read.bad()).isEmpty();
        world.apply(ChangeSet.upsert(read.entities().values()));
    }

    private String export() throws Exception {
        SortedMap<EntityId, PhysicalEntity> entities = new TreeMap<>();
        world.scan(entity -> entities.put(entity.id(), entity));
        StringWriter text = new StringWriter();
        try (GeoJsonExport export = new GeoJsonExport(text, GeoJsonExport.Form.SEQUENCE)) {
            for (PhysicalEntity entity : entities.values()) {
                export.write(entity);
            }
        }
        return text.toString();
    }

    private List<String> resolve(String category, String where) throws Exception {
        String descriptor = "{\"stages\":[{\"references\":[\"zone\"],\"categories\":[\"" + category + "\"],\"where\":"
                + where + "}]}";
        return world.resolve(new DescriptorParser(DescriptorLimits.DEFAULT).parse(descriptor)).selected().stream()
                .map(EntityId::value)
                .toList();
    }

    private static String point(double lon) {
        return "{\"type\":\"Point\",\"coordinates\":[" + lon + ",5.0]}";
    }

    private static String feature(String id, String category, String geometry) {
        return "{\"type\":\"Feature\",\"id\":\"" + id + "\",\"properties\":{\"categories\":[\"" + category
                + "\"]},\"geometry\":" + geometry + "}";
    }
}
