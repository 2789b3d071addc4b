package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorldFilesTest {

    private static final ImportRules FEATURE_ID =
            new ImportRules(IdRule.ofFeature(), CategoryRule.constant(Category.of("k")), RepeatedIds.LAST_WINS);

    @TempDir
    private Path folder;

    @Test
    void shouldReadGoodFeaturesAndNameBadOnes() throws Exception {
        List<Feature> features = read(
                geoJson(
                        FEATURE_ID,
                        """
                {"type":"FeatureCollection","name":"town","features":[
                {"type":"Feature","id":7,"properties":null,"geometry":{"type":"Point","coordinates":[13.4,52.5,34.0,1]}},
                {"type":"Feature","id":"self","properties":{},"geometry":
                  {"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}},
                {"type":"Feature","id":"open","properties":{},"geometry":
                  {"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2]]]}},
                {"type":"Feature","id":"nowhere","properties":{},"geometry":null},
                {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,1]}},
                {"type":"Feature","id":"planet","properties":{},"geometry":{"type":"Point","coordinates":[181,1]}},
                {"type":"Feature","id":"text","properties":{},"geometry":{"type":"Point","coordinates":["1","1"]}},
                {"type":"Feature","id":"empty","properties":{},"geometry":{"type":"LineString","coordinates":[]}},
                {"type":"Feature","id":"last","properties":{},"geometry":{"type":"MultiPoint","coordinates":[[1,1],[2,2]]}}
                ],"more":{"a":[1]}}
                """));
        assertThat(entities(features)).extracting(e -> e.id().value()).containsExactly("7", "last");
        assertThat(entities(features).get(0).geometry().getCoordinate().getZ()).isNaN();
        assertThat(bad(features))
                .containsExactly(
                        "feature 2 (line 3, column 1) self Self-intersection at 1.0 1.0",
                        "feature 3 (line 5, column 1) open ring is not closed, it begins at 0.0 0.0",
                        "feature 4 (line 7, column 1) nowhere geometry is null",
                        "feature 5 (line 8, column 1) null no id: member 'id' is missing or empty",
                        "feature 6 (line 9, column 1) planet coordinate 181.0 1.0 is outside lon -180..180, lat -90..90",
                        "feature 7 (line 10, column 1) text expected a position [lon, lat], found [\"1\",\"1\"]",
                        "feature 8 (line 11, column 1) empty geometry is EMPTY");
    }

    @Test
    void shouldReadGzipAndCountBytes() throws Exception {
        Path file = folder.resolve("town.geojson.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(collection(feature("\"id\":\"a\"")).getBytes(StandardCharsets.UTF_8));
        }
        long[] progress = new long[2];
        try (FeatureReader reader = new GeoJsonFile(file, FEATURE_ID).open((bytes, of) -> {
            progress[0] = bytes;
            progress[1] = of;
        })) {
            assertThat(reader.next()).containsInstanceOf(Feature.Entity.class);
            assertThat(reader.next()).isEmpty();
            assertThat(reader.next()).isEmpty();
            assertThat(progress).containsOnly(Files.size(file));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"Feature\"} | expected a FeatureCollection, found 'Feature'",
                "[1,2] | expected a FeatureCollection",
                "{\"type\":\"FeatureCollection\"} | found no list 'features'",
                "{\"crs\":{\"properties\":{\"name\":\"EPSG:25833\"}},\"features\":[]} | 'EPSG:25833' is not lon/lat WGS 84"
            })
    void shouldRefuseWhatIsNoFeatureCollection(String text, String problem) {
        assertThatThrownBy(() -> read(geoJson(FEATURE_ID, text)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("town.geojson")
                .hasMessageContaining(problem);
    }

    @Test
    void shouldKeepWhatCameBeforeTheFileBreaksOff() throws Exception {
        String whole = collection(feature("\"id\":\"a\"") + "," + feature("\"id\":\"b\""));
        try (FeatureReader reader =
                geoJson(FEATURE_ID, whole.substring(0, whole.length() - 10)).open()) {
            assertThat(reader.next()).containsInstanceOf(Feature.Entity.class);
            assertThatThrownBy(reader::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("malformed JSON in feature 2 at line 1");
        }
    }

    @Test
    void shouldTakeIdAndCategoryFromProperties() throws Exception {
        ImportRules rules = new ImportRules(
                IdRule.ofProperty("key").withPrefix("zone/"),
                CategoryRule.ofProperty("kind", "zone"),
                RepeatedIds.REFUSE);
        List<Feature> features = read(geoJson(
                rules,
                collection(String.join(
                        ",",
                        feature("\"properties\":{\"key\":5,\"kind\":\"park/large\"}"),
                        feature("\"properties\":{\"key\":5,\"kind\":\"park\"}"),
                        feature("\"properties\":{\"key\":6}"),
                        feature("\"properties\":{\"key\":7,\"kind\":\"a//b\"}")))));
        assertThat(entities(features)).hasSize(1);
        assertThat(entities(features).get(0).id().value()).isEqualTo("zone/5");
        assertThat(entities(features).get(0).categories()).containsExactly(Category.of("zone/park/large"));
        assertThat(bad(features)).hasSize(3);
        assertThat(bad(features).get(0)).endsWith("zone/5 id was there before");
        assertThat(bad(features).get(1)).endsWith("zone/6 no category: property 'kind' is missing");
        assertThat(bad(features).get(2)).endsWith("zone/7 category 'zone/a//b' has an empty level");
    }

    @Test
    void shouldReadCsvAsPublishersWriteIt() throws Exception {
        Path file = folder.resolve("detectors.csv");
        String text =
                """
                name;straße;länge;breite
                d1;"Allee; Nord";13,4;52,5
                d1;zweite Zeile;13,5;52,6

                d2;"zwei
                Zeilen";13,5;52,6
                d3;x;nirgends;52,6
                d4;x
                ;x;13,5;52,6
                d5;x;13,5;152,6
                d6;x;13,5;52,6""";
        Files.write(file, text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        ImportRules rules = new ImportRules(
                IdRule.ofProperty("name"), CategoryRule.constant(Category.of("detector")), RepeatedIds.FIRST_WINS);
        CsvLayout layout = CsvLayout.of("länge", "breite")
                .separatedBy(';')
                .withDecimalComma()
                .encodedIn(StandardCharsets.ISO_8859_1);
        List<Feature> features = read(new CsvFile(file, layout, rules));
        assertThat(entities(features)).extracting(e -> e.id().value()).containsExactly("d1", "d2", "d6");
        assertThat(entities(features).get(0).geometry().toText()).isEqualTo("POINT (13.4 52.5)");
        assertThat(features).filteredOn(f -> f instanceof Feature.Skipped).hasSize(1);
        assertThat(bad(features))
                .containsExactly(
                        "line 7 d3 column 'länge' is not a number: 'nirgends'",
                        "line 8 d4 row has 2 columns, the header has 4",
                        "line 9 null no id: property 'name' is missing or empty",
                        "line 10 d5 coordinate 13.5 152.6 is outside lon -180..180, lat -90..90");

        assertThatThrownBy(() -> read(new CsvFile(file, layout.encodedIn(StandardCharsets.UTF_8), rules)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bytes that are not UTF-8");
        assertThatThrownBy(() -> read(new CsvFile(file, layout.separatedBy(','), rules)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no column 'länge', there are: name;straße;länge;breite");
    }

    @Test
    void shouldSkipByteOrderMark() throws Exception {
        Path file = folder.resolve("bom.csv");
        Files.writeString(file, "\uFEFFlon,lat,id\n1,2,a\n");
        ImportRules rules = new ImportRules(
                IdRule.ofProperty("id"), CategoryRule.constant(Category.of("k")), RepeatedIds.LAST_WINS);
        assertThat(entities(read(new CsvFile(file, CsvLayout.of("lon", "lat"), rules))))
                .hasSize(1);
    }

    @Test
    void shouldReadManifest() {
        List<WorldFile> files = WorldManifest.parse(
                """
                {"files": [
                  {"file": "a.geojson.gz", "category": {"osm": true}},
                  {"file": "b.csv", "csv": {"lon": "x", "lat": "y", "separator": ";", "decimalComma": true,
                   "encoding": "iso-8859-1"}, "id": {"property": "n", "prefix": "p/"}, "repeatedIds": "first", "repair": true,
                   "category": {"property": "c", "under": "u"}}]}
                """,
                folder);
        assertThat(((GeoJsonFile) files.get(0)).file()).isEqualTo(folder.resolve("a.geojson.gz"));
        CsvFile csv = (CsvFile) files.get(1);
        assertThat(csv.layout())
                .isEqualTo(new CsvLayout(new CsvLayout.LonLat("x", "y"), ';', true, StandardCharsets.ISO_8859_1));
        assertThat(csv.rules().ids()).isEqualTo(new IdRule("n", "p/"));
        assertThat(csv.rules().repeatedIds()).isEqualTo(RepeatedIds.FIRST_WINS);
        assertThat(csv.rules().repair()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | $.files: expected at least one file",
                "{\"files\":[{}]} | $.files[0].file: missing",
                "{\"files\":[{\"file\":\"a\"}]} | $.files[0].category: missing",
                "{\"files\":[{\"file\":\"a\",\"category\":{}}]} | $.files[0].category: expected one of",
                "{\"files\":[{\"file\":\"a\",\"colour\":1}]} | $.files[0].colour: Unrecognized",
                "{\"files\":[{\"file\":\"a\",\"category\":{\"osm\":true},\"repeatedIds\":\"x\"}]} | $.files[0].repeatedIds",
                "{\"files\":[{\"file\":\"a\",\"category\":{\"osm\":true},\"csv\":{\"lon\":\"x\"}}]} | $.files[0].csv: expected lon and lat, or wkt",
                "{\"files\":[{\"file\":\"a\",\"category\":{\"osmMapping\":\"none\"}}]} | $.files[0].category.osmMapping: ",
                "{\"files\": | malformed JSON"
            })
    void shouldRefuseBadManifest(String text, String problem) {
        assertThatThrownBy(() -> WorldManifest.parse(text, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    private GeoJsonFile geoJson(ImportRules rules, String text) throws IOException {
        return new GeoJsonFile(Files.writeString(folder.resolve("town.geojson"), text), rules);
    }

    private static String collection(String features) {
        return "{\"type\":\"FeatureCollection\",\"features\":[" + features + "]}";
    }

    private static String feature(String member) {
        return "{\"type\":\"Feature\"," + member + ",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}";
    }

    private static List<Feature> read(WorldFile file) throws IOException {
        List<Feature> features = new ArrayList<>();
        try (FeatureReader reader = file.open()) {
            for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                features.add(next.get());
            }
        }
        return features;
    }

    private static List<PhysicalEntity> entities(List<Feature> features) {
        return features.stream()
                .filter(f -> f instanceof Feature.Entity)
                .map(f -> ((Feature.Entity) f).entity())
                .toList();
    }

    private static List<String> bad(List<Feature> features) {
        return features.stream()
                .filter(f -> f instanceof Feature.Bad)
                .map(f -> (Feature.Bad) f)
                .map(b -> b.position() + " " + b.id() + " " + b.reason())
                .toList();
    }
}
