package io.hereabouts.resolver.importing.manifest;

import io.hereabouts.resolver.importing.CsvFile;
import io.hereabouts.resolver.importing.CsvLayout;
import io.hereabouts.resolver.importing.GeoJsonFile;
import io.hereabouts.resolver.importing.GeoJsonSequence;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.osm.OsmPbfFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds out what format a file is in: by its first bytes, for a name may be wrong. No state. */
public final class FileFormats {

    private FileFormats() {}

    /** True if the features' properties are OpenStreetMap tags, so that categories need not be told. */
    public static boolean isOsm(Path file) throws IOException {
        return OsmPbfFile.isPbf(file);
    }

    /**
     * The file in its format.
     *
     * @param csv its layout if it is CSV, else null: nothing tells CSV from other text
     * @throws IOException if it is there and cannot be read
     */
    public static WorldFile of(Path file, @Nullable CsvLayout csv, ImportRules rules) throws IOException {
        if (csv != null) {
            return new CsvFile(file, csv, rules);
        }
        if (OsmPbfFile.isPbf(file)) {
            return new OsmPbfFile(file, rules);
        }
        return GeoJsonSequence.isSequence(file) ? new GeoJsonSequence(file, rules) : new GeoJsonFile(file, rules);
    }
}
