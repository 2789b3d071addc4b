package io.hereabouts.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hereabouts.replay.BadLineException.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Makes the payload of a row. Immutable and thread-safe. */
public sealed interface PayloadForm {

    /** The columns it needs. */
    List<String> columns();

    /** The payload as text. */
    String of(Row row, long eventTime) throws BadLineException;

    /** A template filled with the values as they are. */
    record Text(Template template) implements PayloadForm {
        @Override
        public List<String> columns() {
            return template.columns();
        }

        @Override
        public String of(Row row, long eventTime) throws BadLineException {
            return template.fill(row);
        }
    }

    /**
     * A JSON object with these columns.
     *
     * @param columns in the order of the object
     * @param numbers those of them whose values must be numbers, or missing
     * @param timeKey key of the event time as ISO 8601 in UTC, empty for none
     */
    record Json(List<String> columns, Set<String> numbers, String timeKey) implements PayloadForm {

        public Json {
            columns = List.copyOf(columns);
            numbers = Set.copyOf(numbers);
        }

        /** The key of a column: its name, of a JSON Pointer the last part. */
        static String key(String column) {
            return column.startsWith("/") ? column.substring(column.lastIndexOf('/') + 1) : column;
        }

        @Override
        public String of(Row row, long eventTime) throws BadLineException {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            if (!timeKey.isEmpty()) {
                object.put(timeKey, Instant.ofEpochMilli(eventTime).toString());
            }
            for (String column : columns) {
                JsonNode value = row.json(column);
                if (numbers.contains(column) && !value.isNumber() && !value.isNull()) {
                    throw new BadLineException(
                            Kind.PAYLOAD, "column " + column + " is " + brief(value) + ", not a number");
                }
                object.set(key(column), value);
            }
            return object.toString();
        }

        private static String brief(JsonNode value) {
            String text = value.toString();
            return text.length() <= 60 ? text : text.substring(0, 57) + "...";
        }
    }
}
