package io.hereabouts.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** Makes the payload of a row. Immutable and thread-safe. */
public sealed interface PayloadForm {

    /** The columns it needs. */
    List<String> columns();

    /** The payload as text. */
    String of(Row row, long eventTime);

    /** A template filled with the values as they are. */
    record Text(Template template) implements PayloadForm {
        @Override
        public List<String> columns() {
            return template.columns();
        }

        @Override
        public String of(Row row, long eventTime) {
            return template.fill(row);
        }
    }

    /**
     * A JSON object with these columns. A value that reads as a JSON number becomes one, an empty one becomes null, any
     * other a string.
     *
     * @param columns in the order of the object
     * @param timeKey key of the event time as ISO 8601 in UTC, empty for none
     * @param decimalComma numbers have a comma where JSON has a point
     */
    record Json(List<String> columns, String timeKey, boolean decimalComma) implements PayloadForm {

        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
        private static final JsonFactory JSON = new JsonFactory();

        public Json {
            columns = List.copyOf(columns);
        }

        @Override
        public String of(Row row, long eventTime) {
            StringWriter out = new StringWriter();
            try (JsonGenerator json = JSON.createGenerator(out)) {
                json.writeStartObject();
                if (!timeKey.isEmpty()) {
                    json.writeStringField(
                            timeKey, Instant.ofEpochMilli(eventTime).toString());
                }
                for (String column : columns) {
                    json.writeFieldName(column);
                    write(json, row.value(column));
                }
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toString();
        }

        private void write(JsonGenerator json, String value) throws IOException {
            String bare = value.strip();
            String number = decimalComma ? bare.replace(',', '.') : bare;
            if (bare.isEmpty()) {
                json.writeNull();
            } else if (NUMBER.matcher(number).matches()) {
                json.writeNumber(number);
            } else {
                json.writeString(value);
            }
        }
    }
}
