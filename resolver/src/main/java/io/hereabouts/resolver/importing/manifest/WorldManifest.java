package io.hereabouts.resolver.importing.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hereabouts.model.entity.Category;
import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.CsvLayout;
import io.hereabouts.resolver.importing.IdRule;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ImportRules.RepeatedIds;
import io.hereabouts.resolver.importing.OsmCategories;
import io.hereabouts.resolver.importing.WorldFile;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON text that says which files make a world and by which rules each is read.
 *
 * <pre>{@code
 * {"files": [
 *   {"file": "districts.geojson.gz",                         relative to the manifest's folder
 *    "id": {"property": "key", "prefix": "district/"},       absent: the Feature's own id
 *    "category": {"constant": "zone/district"}},             or {"property": …, "under": …}, {"osm": true}, {"osmMapping": FILE};
 *                                                           absent: {"osm": true}, if the file is PBF
 *   {"file": "detectors.csv",
 *    "csv": {"lon": "x", "lat": "y", "separator": ";",       present: the file is CSV; a "wkt" column instead of lon and lat
 *            "decimalComma": true, "encoding": "ISO-8859-1"},
 *    "repeatedIds": "first",                                 or last (the default), or refuse
 *    "repair": true,                                         mends invalid geometries
 *    "category": {"constant": "detector"}}]}
 * }</pre>
 */
public final class WorldManifest {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private WorldManifest() {}

    /**
     * The files of a manifest.
     *
     * @param folder what the file names are relative to
     * @throws IllegalArgumentException naming the JSON path and what is wrong
     */
    public static List<WorldFile> parse(String text, Path folder) {
        Manifest manifest;
        try {
            manifest = JSON.readValue(text, Manifest.class);
        } catch (JsonMappingException e) {
            String path = e.getPath().stream()
                    .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                    .collect(Collectors.joining("", "$", ""));
            throw new IllegalArgumentException(path + ": " + e.getOriginalMessage(), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("malformed JSON: " + e.getOriginalMessage(), e);
        }
        if (manifest == null || manifest.files == null || manifest.files.isEmpty()) {
            throw new IllegalArgumentException("$.files: expected at least one file");
        }
        List<WorldFile> files = new ArrayList<>();
        for (int i = 0; i < manifest.files.size(); i++) {
            try {
                files.add(manifest.files.get(i).toFile(folder));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("$.files[" + i + "]." + e.getMessage(), e);
            }
        }
        return files;
    }

    private record Manifest(@Nullable List<Entry> files) {}

    private record Entry(
            @Nullable String file,
            @Nullable Csv csv,
            @Nullable Id id,
            @Nullable Categories category,
            @Nullable String repeatedIds,
            boolean repair) {

        WorldFile toFile(Path folder) {
            if (file == null) {
                throw new IllegalArgumentException("file: missing");
            }
            Path path = folder.resolve(file);
            try {
                ImportRules rules = new ImportRules(
                        id == null ? IdRule.ofFeature() : new IdRule(id.property, orEmpty(id.prefix)),
                        categories(path, folder),
                        repeated(repeatedIds == null ? "last" : repeatedIds),
                        repair);
                return FileFormats.of(path, csv == null ? null : csv.toLayout(), rules);
            } catch (IOException e) {
                throw new IllegalArgumentException("file: " + path + " cannot be read: " + e.getMessage(), e);
            }
        }

        private CategoryRule categories(Path path, Path folder) throws IOException {
            if (category != null) {
                return category.toRule(folder);
            }
            if (csv == null && FileFormats.isOsm(path)) {
                return CategoryRule.osmTags();
            }
            throw new IllegalArgumentException("category: missing");
        }

        private static RepeatedIds repeated(String word) {
            return switch (word) {
                case "last" -> RepeatedIds.LAST_WINS;
                case "first" -> RepeatedIds.FIRST_WINS;
                case "refuse" -> RepeatedIds.REFUSE;
                default ->
                    throw new IllegalArgumentException("repeatedIds: expected last, first or refuse, found " + word);
            };
        }
    }

    private record Id(@Nullable String property, @Nullable String prefix) {}

    private record Categories(
            @Nullable String constant,
            @Nullable String property,
            @Nullable String under,
            boolean osm,
            @Nullable String osmMapping) {

        CategoryRule toRule(Path folder) {
            int ways = (constant == null ? 0 : 1)
                    + (property == null ? 0 : 1)
                    + (osm ? 1 : 0)
                    + (osmMapping == null ? 0 : 1);
            if (ways != 1) {
                throw new IllegalArgumentException("category: expected one of constant, property, osm and osmMapping");
            }
            if (osmMapping != null) {
                return mapping(folder.resolve(osmMapping));
            }
            if (constant != null) {
                return CategoryRule.constant(Category.of(constant));
            }
            return property == null ? CategoryRule.osmTags() : CategoryRule.ofProperty(property, orEmpty(under));
        }

        private static CategoryRule mapping(Path file) {
            try {
                return OsmCategories.parse(Files.readString(file));
            } catch (IOException | IllegalArgumentException e) {
                throw new IllegalArgumentException("category.osmMapping: " + file + ": " + e.getMessage(), e);
            }
        }
    }

    private record Csv(
            @Nullable String lon,
            @Nullable String lat,
            @Nullable String wkt,
            @Nullable String separator,
            boolean decimalComma,
            @Nullable String encoding) {

        CsvLayout toLayout() {
            if (separator != null && separator.length() != 1) {
                throw new IllegalArgumentException("csv.separator: expected one character, found '" + separator + "'");
            }
            return new CsvLayout(
                    place(), separator == null ? ',' : separator.charAt(0), decimalComma, charset(encoding));
        }

        private CsvLayout.Place place() {
            if (wkt != null && lon == null && lat == null) {
                return new CsvLayout.Wkt(wkt);
            }
            if (wkt != null || lon == null || lat == null) {
                throw new IllegalArgumentException("csv: expected lon and lat, or wkt, to name the columns");
            }
            return new CsvLayout.LonLat(lon, lat);
        }

        private static Charset charset(@Nullable String name) {
            if (name == null) {
                return StandardCharsets.UTF_8;
            }
            try {
                return Charset.forName(name.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("csv.encoding: unknown encoding '" + name + "'", e);
            }
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
