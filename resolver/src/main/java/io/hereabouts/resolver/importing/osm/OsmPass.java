package io.hereabouts.resolver.importing.osm;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import crosby.binary.Osmformat;
import io.hereabouts.resolver.importing.ReadProgress;
import java.io.IOException;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the blocks of a file again and again, and from the second time on only through those that hold what is
 * looked for. For one thread.
 */
final class OsmPass {

    /** What a reader must know to read a file right; of what is not here we do not know what it means. */
    private static final Set<String> UNDERSTOOD = Set.of("OsmSchema-V0.6", "DenseNodes");

    private final BlobReader blobs;
    private final ReadProgress progress;
    private final int passes;
    private final BitSet withNodes = new BitSet();
    private final BitSet withWays = new BitSet();

    private int pass = -1;
    private @Nullable BitSet wanted;

    /** @param passes how many there will be, for the progress */
    OsmPass(BlobReader blobs, ReadProgress progress, int passes) {
        this.blobs = blobs;
        this.progress = progress;
        this.passes = passes;
    }

    /** Begins the first pass: through everything. */
    void overAll() {
        begin(null);
    }

    /** Begins a pass through the blocks with nodes. */
    void overNodes() {
        begin(withNodes);
    }

    /** Begins a pass through the blocks with ways. */
    void overWays() {
        begin(withWays);
    }

    private void begin(@Nullable BitSet of) {
        wanted = of;
        pass++;
        blobs.rewind();
    }

    /** The next block of the pass, or null after the last one. */
    @Nullable
    OsmBlock next() throws IOException {
        while (blobs.next()) {
            progress.read(pass * blobs.size() + blobs.end(), passes * blobs.size());
            if (wanted != null && !wanted.get(blobs.number())) {
                continue;
            }
            switch (blobs.type()) {
                case "OSMHeader" -> check(header());
                case "OSMData" -> {
                    return noted(new OsmBlock(block()));
                }
                default -> {
                    // the format says: skip what you do not know
                }
            }
        }
        return null;
    }

    private OsmBlock noted(OsmBlock block) {
        if (wanted == null) {
            withNodes.set(blobs.number(), block.hasNodes());
            withWays.set(blobs.number(), block.hasWays());
        }
        return block;
    }

    /** Where the block is, for people. */
    String position() {
        return "block " + blobs.number();
    }

    private void check(Osmformat.HeaderBlock header) throws IOException {
        for (String feature : header.getRequiredFeaturesList()) {
            if (!UNDERSTOOD.contains(feature)) {
                throw blobs.malformed("the file needs a reader that knows '" + feature + "'");
            }
        }
    }

    private Osmformat.HeaderBlock header() throws IOException {
        ByteString content = blobs.content();
        try {
            return Osmformat.HeaderBlock.parseFrom(content);
        } catch (InvalidProtocolBufferException e) {
            throw blobs.malformed("not PBF: " + e.getMessage());
        }
    }

    private Osmformat.PrimitiveBlock block() throws IOException {
        ByteString content = blobs.content();
        try {
            return Osmformat.PrimitiveBlock.parseFrom(content);
        } catch (InvalidProtocolBufferException e) {
            throw blobs.malformed("not PBF: " + e.getMessage());
        }
    }

    /** What went wrong inside a block, told as a fault of the file. */
    IOException malformed(RuntimeException e) {
        return blobs.malformed("not PBF: " + e);
    }
}
