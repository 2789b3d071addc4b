package io.hereabouts.replay;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.hereabouts.replay.BadLineException.Kind;

/**
 * One line of NDJSON. A column is the name of a field, or, where it begins with {@code /}, a JSON Pointer (RFC 6901) into
 * the object.
 *
 * @param object of the line
 */
record JsonRow(JsonNode object) implements Row {

    @Override
    public String text(String column) throws BadLineException {
        JsonNode value = find(column);
        if (value.isMissingNode() || value.isNull()) {
            throw new BadLineException(Kind.COLUMNS, "has no field '" + column + "'");
        }
        if (value.isContainerNode()) {
            throw new BadLineException(Kind.COLUMNS, "field '" + column + "' is not a single value");
        }
        return value.asText();
    }

    @Override
    public JsonNode json(String column) {
        JsonNode value = find(column);
        return value.isMissingNode() ? NullNode.getInstance() : value;
    }

    private JsonNode find(String column) {
        return column.startsWith("/") ? object.at(JsonPointer.compile(column)) : object.path(column);
    }
}
