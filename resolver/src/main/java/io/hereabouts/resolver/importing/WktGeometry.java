package io.hereabouts.resolver.importing;

import java.io.IOException;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/** A geometry as well-known text. The {@code SRID=4326;} that PostGIS writes before it is accepted. No state. */
final class WktGeometry {

    private static final Pattern SRID = Pattern.compile("^\\s*SRID\\s*=\\s*(\\d+)\\s*;", Pattern.CASE_INSENSITIVE);

    private WktGeometry() {}

    /** @throws IllegalArgumentException saying what is wrong */
    static Geometry read(String text) {
        Matcher srid = SRID.matcher(text);
        boolean prefixed = srid.find();
        if (prefixed && !srid.group(1).equals("4326")) {
            throw new IllegalArgumentException("SRID " + srid.group(1) + " is not lon/lat WGS 84, which is 4326");
        }
        StringReader wkt = new StringReader(prefixed ? text.substring(srid.end()) : text);
        try {
            Geometry geometry = new WKTReader().read(wkt);
            for (int c = wkt.read(); c >= 0; c = wkt.read()) {
                if (!Character.isWhitespace(c)) {
                    throw new IllegalArgumentException("not WKT: something follows the geometry");
                }
            }
            return geometry;
        } catch (IOException | ParseException e) {
            throw new IllegalArgumentException("not WKT: " + e.getMessage(), e);
        }
    }
}
