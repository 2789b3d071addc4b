package io.hereabouts.resolver.importing;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * How a CSV file with a header is laid out. Immutable.
 *
 * @param lon the column of the longitude, degrees
 * @param lat the column of the latitude, degrees
 * @param separator between columns
 * @param decimalComma true if numbers are written {@code 13,4}
 * @param encoding of the file; a byte order mark is skipped
 */
public record CsvLayout(String lon, String lat, char separator, boolean decimalComma, Charset encoding) {

    /** Comma, decimal point, UTF-8. */
    public static CsvLayout of(String lon, String lat) {
        return new CsvLayout(lon, lat, ',', false, StandardCharsets.UTF_8);
    }

    /** The same layout with another separator. */
    public CsvLayout separatedBy(char other) {
        return new CsvLayout(lon, lat, other, decimalComma, encoding);
    }

    /** The same layout with numbers written {@code 13,4}. */
    public CsvLayout withDecimalComma() {
        return new CsvLayout(lon, lat, separator, true, encoding);
    }

    /** The same layout in another encoding. */
    public CsvLayout encodedIn(Charset other) {
        return new CsvLayout(lon, lat, separator, decimalComma, other);
    }
}
