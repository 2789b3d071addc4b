package io.hereabouts.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hereabouts.replay.BadLineException.Kind;

/** Reads lines of NDJSON; numbers stay as they are written. Immutable. */
final class JsonParser implements LineParser {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    @Override
    public Row parse(String line) throws BadLineException {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new BadLineException(Kind.JSON, "malformed JSON" + column(e) + ": " + e.getOriginalMessage());
        }
        if (!node.isObject()) {
            throw new BadLineException(Kind.JSON, "is not a JSON object");
        }
        return new JsonRow(node);
    }

    private static String column(JsonProcessingException e) {
        return e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
    }
}
