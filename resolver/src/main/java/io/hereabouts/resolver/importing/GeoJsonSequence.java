package io.hereabouts.resolver.importing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GeoJSON Features one after the other, plain or gzipped: a GeoJSON text sequence (RFC 8142), in which each begins with
 * the control character RS, or one Feature a line. One that is malformed is bad, and the next is read.
 *
 * @param file where it is
 * @param rules how its features become entities
 */
public record GeoJsonSequence(Path file, ImportRules rules) implements WorldFile {

    private static final int RECORD_SEPARATOR = 0x1E;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** True if the file begins with RS or with a Feature, not with a FeatureCollection; false if there is no such file. */
    public static boolean isSequence(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = new CountedFile(file, ReadProgress.NONE).content()) {
            in.mark(1);
            if (in.read() == RECORD_SEPARATOR) {
                return true;
            }
            in.reset();
            return beginsWithFeature(in);
        }
    }

    /** The members may be in any order; what tells is whichever comes first. */
    private static boolean beginsWithFeature(InputStream in) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "type" -> {
                        return parser.getText().equals("Feature");
                    }
                    case "geometry", "properties", "id" -> {
                        return true;
                    }
                    case "features" -> {
                        return false;
                    }
                    default -> parser.skipChildren();
                }
            }
            return false;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

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
        return new FeatureReader(new Records(new CountedFile(file, progress).content()), rules);
    }

    /** Cuts the file into records; one at a time is in memory. */
    private static final class Records implements RawFeature.Source {

        private final InputStream in;
        private int separator = '\n';
        private long count;
        private long line = 1;
        private boolean ended;

        Records(InputStream in) throws IOException {
            this.in = in;
            in.mark(1);
            if (in.read() == RECORD_SEPARATOR) {
                separator = RECORD_SEPARATOR;
            } else {
                in.reset();
            }
        }

        @Override
        public @Nullable RawFeature next() throws IOException {
            while (!ended) {
                long begin = line;
                byte[] record = record();
                String position = "feature " + (count + 1) + " (line " + begin + ")";
                try {
                    String text = text(record);
                    if (!text.isBlank()) {
                        count++;
                        return feature(position, text);
                    }
                } catch (CharacterCodingException e) {
                    count++;
                    return RawFeature.bad(position, null, Map.of(), "not UTF-8");
                }
            }
            return null;
        }

        private static RawFeature feature(String position, String text) {
            try {
                JsonNode node = JSON.readTree(text);
                return GeoJsonFeature.read(position, node);
            } catch (JsonProcessingException e) {
                return RawFeature.bad(position, null, Map.of(), "malformed JSON: " + e.getOriginalMessage());
            }
        }

        private static String text(byte[] record) throws CharacterCodingException {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(record))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        }

        private byte[] record() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int b = in.read();
            for (; b >= 0 && b != separator; b = in.read()) {
                bytes.write(b);
                line += b == '\n' ? 1 : 0;
            }
            line += b == '\n' ? 1 : 0;
            ended = b < 0;
            return bytes.toByteArray();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
