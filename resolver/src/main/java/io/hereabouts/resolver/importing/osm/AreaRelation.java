package io.hereabouts.resolver.importing.osm;

import crosby.binary.Osmformat;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** A relation whose member ways are the border of an area. Its arrays are not to be changed. */
final class AreaRelation {

    private static final Set<String> TYPES = Set.of("multipolygon", "boundary");
    private static final Set<String> BORDER = Set.of("outer", "inner", "", "exclave", "enclave");

    private final long id;
    private final Map<String, String> tags;
    private final String position;
    private final long[] ways;

    private AreaRelation(long id, Map<String, String> tags, String position, long[] ways) {
        this.id = id;
        this.tags = tags;
        this.position = position;
        this.ways = ways;
    }

    static boolean isArea(Map<String, String> tags) {
        return TYPES.contains(tags.getOrDefault("type", ""));
    }

    /** Nodes, relations, and ways that have another role (a label, a subarea) are no border. */
    static AreaRelation of(
            long id, Map<String, String> tags, String position, Osmformat.Relation members, OsmBlock block) {
        long[] ways = new long[members.getMemidsCount()];
        int count = 0;
        long member = 0;
        for (int i = 0; i < ways.length; i++) {
            member += members.getMemids(i);
            if (members.getTypes(i) == Osmformat.Relation.MemberType.WAY
                    && BORDER.contains(block.string(members.getRolesSid(i)))) {
                ways[count++] = member;
            }
        }
        return new AreaRelation(id, tags, position, Arrays.copyOf(ways, count));
    }

    long id() {
        return id;
    }

    Map<String, String> tags() {
        return tags;
    }

    /** Where in the file, for people. */
    String position() {
        return position;
    }

    /** The members that make the border. */
    long[] ways() {
        return ways;
    }
}
