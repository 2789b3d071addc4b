package io.hereabouts.resolver.importing.osm;

import com.google.protobuf.ByteString;
import crosby.binary.Osmformat;
import crosby.binary.file.BlockOutputStream;
import crosby.binary.file.CompressFlags;
import crosby.binary.file.FileBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes small PBF files, one block for each kind of thing, with the format's own library. */
final class TestPbf implements AutoCloseable {

    private final BlockOutputStream out;
    private final List<String> strings = new ArrayList<>(List.of(""));
    private Osmformat.PrimitiveBlock.Builder block = Osmformat.PrimitiveBlock.newBuilder();

    TestPbf(Path file, CompressFlags compression, String... requiredFeatures) throws IOException {
        out = new BlockOutputStream(Files.newOutputStream(file));
        out.setCompress(compression);
        write(
                "OSMHeader",
                Osmformat.HeaderBlock.newBuilder()
                        .addAllRequiredFeatures(Arrays.asList(requiredFeatures))
                        .build()
                        .toByteString());
    }

    static TestPbf create(Path file) throws IOException {
        return new TestPbf(file, CompressFlags.DEFLATE, "OsmSchema-V0.6", "DenseNodes");
    }

    /** Nodes as {@code id lon lat [key=value …]}. */
    TestPbf denseNodes(String... nodes) throws IOException {
        Osmformat.DenseNodes.Builder dense = Osmformat.DenseNodes.newBuilder();
        long id = 0;
        long lon = 0;
        long lat = 0;
        for (String text : nodes) {
            String[] words = text.split(" ", -1);
            dense.addId(Long.parseLong(words[0]) - id);
            dense.addLon(units(words[1]) - lon).addLat(units(words[2]) - lat);
            id = Long.parseLong(words[0]);
            lon = units(words[1]);
            lat = units(words[2]);
            for (int i = 3; i < words.length; i++) {
                dense.addKeysVals(string(key(words[i]))).addKeysVals(string(value(words[i])));
            }
            dense.addKeysVals(0);
        }
        block.addPrimitivegroup(Osmformat.PrimitiveGroup.newBuilder().setDense(dense));
        return endBlock();
    }

    /** A node in the plain form, with a granularity of 1 nanodegree. */
    TestPbf plainNode(long id, long nanoLon, long nanoLat, String... tags) throws IOException {
        Osmformat.Node.Builder node =
                Osmformat.Node.newBuilder().setId(id).setLon(nanoLon).setLat(nanoLat);
        for (String tag : tags) {
            node.addKeys(string(key(tag))).addVals(string(value(tag)));
        }
        block.setGranularity(1)
                .addPrimitivegroup(Osmformat.PrimitiveGroup.newBuilder().addNodes(node));
        return endBlock();
    }

    /** A way as {@code id n1,n2,n3 [key=value …]}. */
    TestPbf ways(String... ways) throws IOException {
        Osmformat.PrimitiveGroup.Builder group = Osmformat.PrimitiveGroup.newBuilder();
        for (String text : ways) {
            String[] words = text.split(" ", -1);
            Osmformat.Way.Builder way = Osmformat.Way.newBuilder().setId(Long.parseLong(words[0]));
            long previous = 0;
            for (String ref : words[1].split(",", -1)) {
                way.addRefs(Long.parseLong(ref) - previous);
                previous = Long.parseLong(ref);
            }
            for (int i = 2; i < words.length; i++) {
                way.addKeys(string(key(words[i]))).addVals(string(value(words[i])));
            }
            group.addWays(way);
        }
        block.addPrimitivegroup(group);
        return endBlock();
    }

    /** A relation as {@code id role:way,role:way,role:n5 [key=value …]}. */
    TestPbf relations(String... relations) throws IOException {
        Osmformat.PrimitiveGroup.Builder group = Osmformat.PrimitiveGroup.newBuilder();
        for (String text : relations) {
            String[] words = text.split(" ", -1);
            Osmformat.Relation.Builder relation =
                    Osmformat.Relation.newBuilder().setId(Long.parseLong(words[0]));
            long previous = 0;
            for (String member : words[1].split(",", -1)) {
                String[] parts = member.split(":", -1);
                boolean node = parts[1].startsWith("n");
                long id = Long.parseLong(node ? parts[1].substring(1) : parts[1]);
                relation.addMemids(id - previous).addRolesSid(string(parts[0]));
                relation.addTypes(node ? Osmformat.Relation.MemberType.NODE : Osmformat.Relation.MemberType.WAY);
                previous = id;
            }
            for (int i = 2; i < words.length; i++) {
                relation.addKeys(string(key(words[i]))).addVals(string(value(words[i])));
            }
            group.addRelations(relation);
        }
        block.addPrimitivegroup(group);
        return endBlock();
    }

    private TestPbf endBlock() throws IOException {
        Osmformat.StringTable.Builder table = Osmformat.StringTable.newBuilder();
        strings.forEach(text -> table.addS(ByteString.copyFromUtf8(text)));
        write("OSMData", block.setStringtable(table).build().toByteString());
        block = Osmformat.PrimitiveBlock.newBuilder();
        strings.clear();
        strings.add("");
        return this;
    }

    private void write(String type, ByteString data) throws IOException {
        out.write(FileBlock.newInstance(type, data, null));
    }

    private int string(String text) {
        if (!strings.contains(text)) {
            strings.add(text);
        }
        return strings.indexOf(text);
    }

    private static long units(String degrees) {
        return Math.round(Double.parseDouble(degrees) * 1e7);
    }

    private static String key(String tag) {
        return tag.substring(0, tag.indexOf('='));
    }

    private static String value(String tag) {
        return tag.substring(tag.indexOf('=') + 1);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
