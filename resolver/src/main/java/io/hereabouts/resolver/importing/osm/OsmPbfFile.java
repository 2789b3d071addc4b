package io.hereabouts.resolver.importing.osm;

import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ReadProgress;
import io.hereabouts.resolver.importing.WorldFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * An OpenStreetMap file in PBF. Its features are the tagged nodes, the tagged ways and the multipolygon and boundary
 * relations; their ids are {@code node/1}, {@code way/2}, {@code relation/3}, their properties are their tags. The file is
 * read four times, see {@link OsmFeatures}.
 *
 * @param file where it is
 * @param rules how its features become entities
 */
public record OsmPbfFile(Path file, ImportRules rules) implements WorldFile {

    /** A PBF file begins with the length of a header whose first field is this text of 9 bytes. */
    private static final byte[] MAGIC = "\n\tOSMHeader".getBytes(StandardCharsets.US_ASCII);

    /** True if the file's first bytes are those of PBF; false too if there is no such file. */
    public static boolean isPbf(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(Integer.BYTES + MAGIC.length);
            return first.length == Integer.BYTES + MAGIC.length
                    && Arrays.equals(first, Integer.BYTES, first.length, MAGIC, 0, MAGIC.length);
        }
    }

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    /** Ids that come from a tag have no such beginning. */
    @Override
    public List<String> idPrefixes() {
        String prefix = rules.ids().prefix();
        return rules.ids().property() != null
                ? rules.ids().prefixes()
                : List.of(prefix + "node/", prefix + "way/", prefix + "relation/");
    }

    @Override
    public FeatureReader open(ReadProgress progress) throws IOException {
        BlobReader blobs = new BlobReader(file);
        try {
            return new FeatureReader(new OsmFeatures(blobs, rules.categories(), progress), rules);
        } catch (IOException e) {
            blobs.close();
            throw e;
        }
    }
}
