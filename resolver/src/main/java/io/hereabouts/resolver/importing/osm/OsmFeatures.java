package io.hereabouts.resolver.importing.osm;

import io.hereabouts.resolver.importing.CategoryRule;
import io.hereabouts.resolver.importing.RawFeature;
import io.hereabouts.resolver.importing.RawFeature.Kind;
import io.hereabouts.resolver.importing.ReadProgress;
import io.hereabouts.resolver.importing.Shape;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The features of a PBF file, in four passes: relations, to know of which ways they are made; ways, to know which nodes
 * they need; nodes, which are features themselves where they have tags; ways again, now with places. The relations come
 * last. A pass reads only the blocks that it needs, so a file in the usual order is read about twice, and a file in any
 * other order is read right too.
 *
 * <p>In memory are one block, the member ways of relations and the needed nodes, see {@link NodeLocations}; not the
 * features. What the categories leave out has no geometry made for it. For one thread.
 */
final class OsmFeatures implements RawFeature.Source {

    private static final int PASSES = 4;
    private static final String NO_CATEGORY = "no category";

    private enum Stage {
        BEFORE,
        NODES,
        WAYS,
        RELATIONS
    }

    private final BlobReader blobs;
    private final OsmPass pass;
    private final CategoryRule categories;
    private final MemberWays members = new MemberWays();
    private final NodeLocations locations = new NodeLocations();
    private final OsmShapes shapes = new OsmShapes(locations, members);
    private final Queue<AreaRelation> relations = new ArrayDeque<>();
    private final Queue<RawFeature> ready = new ArrayDeque<>();
    private Stage stage = Stage.BEFORE;

    OsmFeatures(BlobReader blobs, CategoryRule categories, ReadProgress progress) throws IOException {
        this.blobs = blobs;
        this.pass = new OsmPass(blobs, progress, PASSES);
        this.categories = categories;
    }

    @Override
    public @Nullable RawFeature next() throws IOException {
        try {
            while (ready.isEmpty() && advance()) {
                // a block without a feature
            }
        } catch (IndexOutOfBoundsException e) {
            // a reference into a list that the block has not
            throw pass.malformed(e);
        }
        return ready.poll();
    }

    /** Reads one block, or one relation; false after the last one. */
    private boolean advance() throws IOException {
        switch (stage) {
            case BEFORE -> {
                collectRelations();
                collectWays();
                pass.overNodes();
                stage = Stage.NODES;
            }
            case NODES -> {
                OsmBlock block = pass.next();
                if (block == null) {
                    pass.overWays();
                    stage = Stage.WAYS;
                } else {
                    block.nodes(this::node);
                }
            }
            case WAYS -> {
                OsmBlock block = pass.next();
                if (block == null) {
                    stage = Stage.RELATIONS;
                } else {
                    block.ways(this::way);
                }
            }
            default -> {
                AreaRelation relation = relations.poll();
                if (relation == null) {
                    return false;
                }
                ready.add(shapes.relation(relation));
            }
        }
        return true;
    }

    private void collectRelations() throws IOException {
        pass.overAll();
        for (OsmBlock next = pass.next(); next != null; next = pass.next()) {
            OsmBlock block = next;
            block.relations((id, relation, tags) -> {
                if (AreaRelation.isArea(tags) && isWanted(tags, Shape.AREA)) {
                    AreaRelation area = AreaRelation.of(id, described(tags), pass.position(), relation, block);
                    relations.add(area);
                    for (long way : area.ways()) {
                        members.need(way);
                    }
                } else if (!tags.isEmpty()) {
                    String reason = AreaRelation.isArea(tags) ? NO_CATEGORY : "relation that is no area";
                    leaveOut("relation/" + id, reason);
                }
            });
        }
        members.prepare();
    }

    /** The type says what kind of relation it is, not what is there. */
    private static Map<String, String> described(Map<String, String> tags) {
        Map<String, String> described = new HashMap<>(tags);
        described.remove("type");
        return described;
    }

    private void collectWays() throws IOException {
        pass.overWays();
        for (OsmBlock block = pass.next(); block != null; block = pass.next()) {
            block.ways((id, nodes, tags) -> {
                boolean member = members.isNeeded(id);
                if (member) {
                    members.put(id, nodes);
                }
                if (member || (!tags.isEmpty() && isWanted(tags, AreaRule.shape(nodes, tags)))) {
                    for (long node : nodes) {
                        locations.need(node);
                    }
                }
            });
        }
        locations.prepare();
    }

    private void node(long id, int lon, int lat, Map<String, String> tags) {
        locations.put(id, lon, lat);
        if (!tags.isEmpty()) {
            if (isWanted(tags, Shape.POINT)) {
                ready.add(shapes.node(id, lon, lat, tags, pass.position()));
            } else {
                leaveOut("node/" + id, NO_CATEGORY);
            }
        }
    }

    private void way(long id, long[] nodes, Map<String, String> tags) {
        if (!tags.isEmpty()) {
            if (isWanted(tags, AreaRule.shape(nodes, tags))) {
                ready.add(shapes.way(id, nodes, tags, pass.position()));
            } else {
                leaveOut("way/" + id, NO_CATEGORY);
            }
        }
    }

    private void leaveOut(String id, String reason) {
        ready.add(RawFeature.without(Kind.LEFT_OUT, pass.position(), id, Map.of(), reason));
    }

    /** A rule that finds something wrong wants to tell about it. */
    private boolean isWanted(Map<String, String> tags, Shape shape) {
        try {
            return !categories.apply(tags, shape).isEmpty();
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            blobs.close();
        } finally {
            locations.close();
        }
    }
}
