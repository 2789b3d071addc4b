package io.hereabouts.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;

/**
 * A row of a file whose name has values too; they go before those of the line.
 *
 * @param ofName values out of the name
 * @param line the rest
 */
record RowOfFile(Map<String, String> ofName, Row line) implements Row {

    @Override
    public String text(String column) throws BadLineException {
        String value = ofName.get(column);
        return value == null ? line.text(column) : value;
    }

    @Override
    public JsonNode json(String column) {
        String value = ofName.get(column);
        return value == null ? line.json(column) : TextNode.valueOf(value);
    }
}
