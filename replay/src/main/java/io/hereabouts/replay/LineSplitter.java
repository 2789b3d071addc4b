package io.hereabouts.replay;

import io.hereabouts.replay.BadLineException.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits one line into its values (RFC 4180 within a line): a value may be quoted, a quote inside is written twice. Line
 * breaks inside of quotes are not supported, so that one bad line is only one bad line. Immutable.
 *
 * @param separator between values
 * @param quote around values
 */
record LineSplitter(char separator, char quote) {

    List<String> split(String line) throws BadLineException {
        List<String> values = new ArrayList<>();
        int at = 0;
        while (true) {
            if (at < line.length() && line.charAt(at) == quote) {
                at = quoted(line, at + 1, values);
            } else {
                int end = line.indexOf(separator, at);
                values.add(line.substring(at, end < 0 ? line.length() : end));
                at = end < 0 ? line.length() : end;
            }
            if (at == line.length()) {
                return values;
            }
            at++;
        }
    }

    /** Adds the value that begins at {@code from} and answers the index of the separator, or the end, behind it. */
    private int quoted(String line, int from, List<String> values) throws BadLineException {
        StringBuilder value = new StringBuilder();
        int at = from;
        while (true) {
            int end = line.indexOf(quote, at);
            if (end < 0) {
                throw new BadLineException(Kind.COLUMNS, "quote of column " + (values.size() + 1) + " is not closed");
            }
            value.append(line, at, end);
            boolean twice = end + 1 < line.length() && line.charAt(end + 1) == quote;
            if (!twice) {
                if (end + 1 < line.length() && line.charAt(end + 1) != separator) {
                    throw new BadLineException(
                            Kind.COLUMNS, "column " + (values.size() + 1) + " goes on after its closing quote");
                }
                values.add(value.toString());
                return end + 1;
            }
            value.append(quote);
            at = end + 2;
        }
    }
}
