package io.hereabouts.replay;

import java.nio.charset.Charset;
import java.util.List;

/**
 * How a CSV file is written. Immutable.
 *
 * @param separator between columns
 * @param quote around columns that hold a separator
 * @param encoding of the file; line ends and separators are single ASCII bytes in it
 * @param decimalComma numbers have a comma where JSON has a point
 * @param header names of the columns where the file has no first line with them, else empty
 */
public record CsvFormat(char separator, char quote, Charset encoding, boolean decimalComma, List<String> header) {

    public CsvFormat {
        header = List.copyOf(header);
    }

    LineSplitter splitter() {
        return new LineSplitter(separator, quote);
    }
}
