package io.hereabouts.resolver.importing.osm;

import crosby.binary.Osmformat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes, ways and relations of one PBF block. Longitude and latitude are in units of 10⁻⁷ degrees, which is what
 * OpenStreetMap has; a finer file is rounded to them.
 */
final class OsmBlock {

    private final Osmformat.PrimitiveBlock block;
    private final Map<Integer, String> strings = new HashMap<>();

    OsmBlock(Osmformat.PrimitiveBlock block) {
        this.block = block;
    }

    interface Nodes {
        void node(long id, int lon, int lat, Map<String, String> tags);
    }

    interface Ways {
        void way(long id, long[] nodes, Map<String, String> tags);
    }

    interface Relations {
        void relation(long id, Osmformat.Relation relation, Map<String, String> tags);
    }

    boolean hasNodes() {
        return block.getPrimitivegroupList().stream()
                .anyMatch(group -> group.getNodesCount() > 0 || group.getDense().getIdCount() > 0);
    }

    boolean hasWays() {
        return block.getPrimitivegroupList().stream().anyMatch(group -> group.getWaysCount() > 0);
    }

    void nodes(Nodes each) {
        for (Osmformat.PrimitiveGroup group : block.getPrimitivegroupList()) {
            for (Osmformat.Node node : group.getNodesList()) {
                each.node(
                        node.getId(),
                        lon(node.getLon()),
                        lat(node.getLat()),
                        tags(node.getKeysList(), node.getValsList()));
            }
            if (group.hasDense()) {
                dense(group.getDense(), each);
            }
        }
    }

    /** Ids and coordinates are differences to the node before; keys and values are one list, a 0 ends each node's. */
    private void dense(Osmformat.DenseNodes nodes, Nodes each) {
        long id = 0;
        long lon = 0;
        long lat = 0;
        int at = 0;
        for (int i = 0; i < nodes.getIdCount(); i++) {
            id += nodes.getId(i);
            lon += nodes.getLon(i);
            lat += nodes.getLat(i);
            Map<String, String> tags = Map.of();
            while (at < nodes.getKeysValsCount() && nodes.getKeysVals(at) != 0) {
                if (tags.isEmpty()) {
                    tags = new HashMap<>();
                }
                tags.put(string(nodes.getKeysVals(at)), string(nodes.getKeysVals(at + 1)));
                at += 2;
            }
            at++;
            each.node(id, lon(lon), lat(lat), tags);
        }
    }

    void ways(Ways each) {
        for (Osmformat.PrimitiveGroup group : block.getPrimitivegroupList()) {
            for (Osmformat.Way way : group.getWaysList()) {
                long[] nodes = new long[way.getRefsCount()];
                long node = 0;
                for (int i = 0; i < nodes.length; i++) {
                    node += way.getRefs(i);
                    nodes[i] = node;
                }
                each.way(way.getId(), nodes, tags(way.getKeysList(), way.getValsList()));
            }
        }
    }

    void relations(Relations each) {
        for (Osmformat.PrimitiveGroup group : block.getPrimitivegroupList()) {
            for (Osmformat.Relation relation : group.getRelationsList()) {
                each.relation(relation.getId(), relation, tags(relation.getKeysList(), relation.getValsList()));
            }
        }
    }

    private Map<String, String> tags(List<Integer> keys, List<Integer> values) {
        if (keys.isEmpty()) {
            return Map.of();
        }
        Map<String, String> tags = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            tags.put(string(keys.get(i)), string(values.get(i)));
        }
        return tags;
    }

    String string(int index) {
        return strings.computeIfAbsent(
                index, i -> block.getStringtable().getS(i).toStringUtf8());
    }

    private int lon(long raw) {
        return rounded(block.getLonOffset() + block.getGranularity() * raw);
    }

    private int lat(long raw) {
        return rounded(block.getLatOffset() + block.getGranularity() * raw);
    }

    /** From 10⁻⁹ to 10⁻⁷ degrees; what is no place on earth stays none. */
    private static int rounded(long nanodegrees) {
        long rounded = Math.floorDiv(nanodegrees + 50, 100);
        return (int) Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, rounded));
    }
}
