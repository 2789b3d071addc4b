package io.hereabouts.replay;

import com.fasterxml.jackson.databind.JsonNode;

/** The values of one line by the names of their columns; in NDJSON a column is a field. */
interface Row {

    /**
     * A value as text.
     *
     * @throws BadLineException if the line has none
     */
    String text(String column) throws BadLineException;

    /** A value as JSON; null where the line has none. */
    JsonNode json(String column);
}
