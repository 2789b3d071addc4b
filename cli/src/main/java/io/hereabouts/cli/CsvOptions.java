package io.hereabouts.cli;

import io.hereabouts.resolver.importing.CsvLayout;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How CSV files are laid out; that there is a geometry column makes a file CSV. */
final class CsvOptions {

    @Option(names = "--lon", paramLabel = "COLUMN", description = "CSV: column of the longitude")
    private @Nullable String lon;

    @Option(names = "--lat", paramLabel = "COLUMN", description = "CSV: column of the latitude")
    private @Nullable String lat;

    @Option(names = "--wkt", paramLabel = "COLUMN", description = "CSV: column of the geometry as WKT, lon before lat")
    private @Nullable String wkt;

    @Option(
            names = "--separator",
            paramLabel = "CHAR",
            defaultValue = ",",
            description = "CSV: between columns; default ,")
    private char separator;

    @Option(names = "--decimal-comma", description = "CSV: numbers are written 13,4")
    private boolean decimalComma;

    @Option(
            names = "--encoding",
            paramLabel = "NAME",
            defaultValue = "UTF-8",
            description = "CSV: default ${DEFAULT-VALUE}")
    private String encoding = "UTF-8";

    /**
     * The layout; null if the files are not CSV.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    @Nullable
    CsvLayout layout() {
        CsvLayout.Place place = place();
        return place == null ? null : new CsvLayout(place, separator, decimalComma, Charset.forName(encoding));
    }

    private CsvLayout.@Nullable Place place() {
        if (wkt != null && (lon != null || lat != null)) {
            throw new IllegalArgumentException("--wkt and --lon with --lat: expected one of them");
        }
        if (wkt != null) {
            return new CsvLayout.Wkt(wkt);
        }
        if (lon == null && lat == null) {
            return null;
        }
        if (lon == null || lat == null) {
            throw new IllegalArgumentException("--lon and --lat belong together");
        }
        return new CsvLayout.LonLat(lon, lat);
    }
}
