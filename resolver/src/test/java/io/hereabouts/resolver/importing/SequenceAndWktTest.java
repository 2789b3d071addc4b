package io.hereabouts.resolver.importing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.manifest.FileFormats;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SequenceAndWktTest {

    private static final ImportRules RULES =
            new ImportRules(IdRule.ofFeature(), CategoryRule.ofProperty("is", ""), RepeatedIds.LAST_WINS);

    @TempDir
    private Path folder;

    @Test
    void shouldReadAFeatureALine() throws Exception {
        ReadFile read = read(
                """
                \uFEFF{"type":"Feature","id":"a","properties":{"is":"k"},"geometry":{"type":"Point","coordinates":[1,2]}}

                {"type":"Feature","id":"cut","properties":{"is":"k"},"geome
                {"type":"FeatureCollection","features":[]}
                {"type":"Feature","id":"two","properties":{"is":"k"},"geometry":null} {}
                {"geometry":{"type":"Point","coordinates":[3,4]},"id":"ß","properties":{"is":["k","l/m"]},"type":"Feature"}""");
        assertThat(read.text("a")).isEqualTo("[k] POINT (1 2)");
        assertThat(read.text("ß")).isEqualTo("[k, l/m] POINT (3 4)");
        assertThat(read.bad()).hasSize(3);
        assertThat(read.bad().get(0).position()).isEqualTo("feature 2 (line 3)");
        assertThat(read.bad().get(0).reason()).startsWith("malformed JSON: Unexpected end-of-input");
        assertThat(read.problems().get(1)).isEqualTo("null: expected a Feature");
        assertThat(read.bad().get(2).position()).isEqualTo("feature 4 (line 5)");
        assertThat(read.bad().get(2).reason()).startsWith("malformed JSON: Trailing token");
    }

    @Test
    void shouldReadTextSequences() throws Exception {
        ReadFile read = read(
                """
                ^{
                  "type": "Feature", "id": "a",
                  "properties": {"is": "k"}, "geometry": {"type": "Point", "coordinates": [1, 2]}
                }
                ^{"type": "Feature", "id": "cut", "prop
                ^{"type": "Feature", "id": "b", "properties": {"is": "k"}, "geometry": {"type": "Point", "coordinates": [3, 4]}}
                """
                        .replace('^', '\u001e'));
        assertThat(read.ids()).containsExactly("a", "b");
        assertThat(read.bad()).singleElement().satisfies(bad -> {
            assertThat(bad.position()).isEqualTo("feature 2 (line 5)");
            assertThat(bad.reason()).startsWith("malformed JSON");
        });
    }

    @Test
    void shouldReadGzippedSequences() throws Exception {
        Path file = folder.resolve("seq.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(
                    "{\"type\":\"Feature\",\"id\":1,\"properties\":{\"is\":\"k\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(ReadFile.of(FileFormats.of(file, null, RULES)).ids()).containsExactly("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"Feature\"} | true",
                "{\"bbox\":[1,[2]],\"properties\":{}} | true",
                "{\"bbox\":[1,[2]],\"features\":[],\"type\":\"Feature\"} | false",
                "{\"name\":\"x\",\"type\":\"FeatureCollection\"} | false",
                "[] | false",
                "{ | false",
                "'' | false"
            })
    void shouldTellASequenceFromACollection(String text, boolean sequence) throws Exception {
        assertThat(GeoJsonSequence.isSequence(Files.writeString(folder.resolve("x"), text)))
                .isEqualTo(sequence);
        assertThat(GeoJsonSequence.isSequence(folder.resolve("none"))).isFalse();
    }

    @Test
    void shouldReadWktFromCsv() throws Exception {
        Path file = Files.writeString(
                folder.resolve("zones.csv"),
                """
                name;shape
                a;POLYGON ((0 0, 2 0, 2 2, 0 0))
                b;SRID=4326;POINT Z (1 2 3)
                c;"SRID=4326;LINESTRING ZM (1 2 3 4, 5 6 7 8)"
                d;"srid=25833;POINT (390000 5820000)"
                e;POINT (1,5 2,5)
                f;POINT (1 2) x
                g;
                """);
        ImportRules rules = new ImportRules(
                IdRule.ofProperty("name"), CategoryRule.constant(Category.of("k")), RepeatedIds.LAST_WINS);
        CsvLayout layout = CsvLayout.of(new CsvLayout.Wkt("shape")).separatedBy(';');
        ReadFile read = ReadFile.of(new CsvFile(file, layout, rules));
        assertThat(read.text("a")).isEqualTo("[k] POLYGON ((0 0, 2 0, 2 2, 0 0))");
        assertThat(read.entity("c").geometry().getCoordinates())
                .extracting(c -> c.x)
                .containsExactly(1.0, 5.0);
        assertThat(read.problems()).hasSize(5);
        assertThat(read.problems().get(0)).isEqualTo("b: row has 3 columns, the header has 2");
        assertThat(read.problems().get(1)).isEqualTo("d: SRID 25833 is not lon/lat WGS 84, which is 4326");
        assertThat(read.problems().get(2)).startsWith("e: not WKT: ");
        assertThat(read.problems().get(3)).isEqualTo("f: not WKT: something follows the geometry");
        assertThat(read.problems().get(4)).startsWith("g: not WKT: ");
    }

    private ReadFile read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("seq.geojson"), text);
        WorldFile found = FileFormats.of(file, null, RULES);
        assertThat(found).isInstanceOf(GeoJsonSequence.class);
        return ReadFile.of(found);
    }
}
