package io.hereabouts.resolver.importing;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How a CSV file with a header is laid out. Immutable.
 *
 * @param place the columns of the geometry
 * @param separator between columns
 * @param decimalComma true if numbers are written {@code 13,4}; in WKT they never are
 * @param encoding of the file; a byte order mark is skipped
 */
public record CsvLayout(Place place, char separator, boolean decimalComma, Charset encoding) {

    /** Which columns hold the geometry. */
    public sealed interface Place {

        /** Their names. */
        List<String> columns();
    }

    /** A point: longitude and latitude in degrees. */
    public record LonLat(String lon, String lat) implements Place {
        @Override
        public List<String> columns() {
            return List.of(lon, lat);
        }
    }

    /** Any geometry as well-known text, lon before lat. */
    public record Wkt(String column) implements Place {
        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /** Points; comma, decimal point, UTF-8. */
    public static CsvLayout of(String lon, String lat) {
        return of(new LonLat(lon, lat));
    }

    /** Comma, decimal point, UTF-8. */
    public static CsvLayout of(Place place) {
        return new CsvLayout(place, ',', false, StandardCharsets.UTF_8);
    }

    /** The same layout with another separator. */
    public CsvLayout separatedBy(char other) {
        return new CsvLayout(place, other, decimalComma, encoding);
    }

    /** The same layout with numbers written {@code 13,4}. */
    public CsvLayout withDecimalComma() {
        return new CsvLayout(place, separator, true, encoding);
    }

    /** The same layout in another encoding. */
    public CsvLayout encodedIn(Charset other) {
        return new CsvLayout(place, separator, decimalComma, other);
    }
}
