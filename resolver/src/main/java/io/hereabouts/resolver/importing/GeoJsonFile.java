package io.hereabouts.resolver.importing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A GeoJSON FeatureCollection (RFC 7946), plain or gzipped. Coordinates are lon/lat WGS 84; a {@code crs} member of the
 * older GeoJSON that says otherwise is refused.
 *
 * @param file where it is
 * @param rules how its features become entities
 */
public record GeoJsonFile(Path file, ImportRules rules) implements WorldFile {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public List<String> idPrefixes() {
        return rules.ids().prefixes();
    }

    @Override
    public FeatureReader open(ReadProgress progress) throws IOException {
        CountedFile bytes = new CountedFile(file, progress);
        JsonParser parser = new JsonFactory().createParser(bytes.content());
        Features features = new Features(file, parser);
        try {
            features.enter();
        } catch (IOException e) {
            parser.close();
            throw e;
        }
        return new FeatureReader(features, rules);
    }

    /** Goes through the file with a cursor; one feature at a time is in memory. */
    private static final class Features implements RawFeature.Source {

        private final Path file;
        private final JsonParser parser;
        private long count;
        private boolean ended;

        Features(Path file, JsonParser parser) {
            this.file = file;
            this.parser = parser;
        }

        /** Moves into the list of features. */
        void enter() throws IOException {
            if (token() != JsonToken.START_OBJECT) {
                throw malformed("expected a FeatureCollection");
            }
            if (!toFeatures()) {
                throw malformed("expected a FeatureCollection, found no list 'features'");
            }
        }

        /** Moves to the next member {@code features}; false if there is none up to the end. */
        private boolean toFeatures() throws IOException {
            while (token() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = token();
                if (name.equals("features") && value == JsonToken.START_ARRAY) {
                    return true;
                }
                if (name.equals("crs")) {
                    checkReferenceSystem(tree());
                } else if (name.equals("type") && !parser.getText().equals("FeatureCollection")) {
                    throw malformed("expected a FeatureCollection, found '" + parser.getText() + "'");
                } else {
                    skip();
                }
            }
            return false;
        }

        private void checkReferenceSystem(JsonNode crs) throws IOException {
            String name = crs.path("properties").path("name").asText();
            if (!crs.isNull() && !name.endsWith("CRS84") && !name.endsWith("4326")) {
                throw malformed("reference system '" + name + "' is not lon/lat WGS 84");
            }
        }

        @Override
        public @Nullable RawFeature next() throws IOException {
            if (ended) {
                return null;
            }
            if (token() == JsonToken.END_ARRAY) {
                ended = true;
                if (toFeatures()) {
                    throw malformed("a second list 'features'");
                }
                return null;
            }
            count++;
            JsonLocation at = parser.currentTokenLocation();
            String position = "feature " + count + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
            return GeoJsonFeature.read(position, tree());
        }

        private @Nullable JsonToken token() throws IOException {
            try {
                return parser.nextToken();
            } catch (JsonProcessingException e) {
                throw malformed(e);
            }
        }

        private JsonNode tree() throws IOException {
            try {
                return JSON.readTree(parser);
            } catch (JsonProcessingException e) {
                throw malformed(e);
            }
        }

        private void skip() throws IOException {
            try {
                parser.skipChildren();
            } catch (JsonProcessingException e) {
                throw malformed(e);
            }
        }

        private IOException malformed(JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            return new IOException(
                    file + ": malformed JSON in feature " + count + where + ": " + e.getOriginalMessage(), e);
        }

        private IOException malformed(String problem) {
            JsonLocation at = parser.currentLocation();
            return new IOException(file + ", line " + at.getLineNr() + ": " + problem);
        }

        @Override
        public void close() throws IOException {
            parser.close();
        }
    }
}
