package io.hereabouts.resolver.world;

import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.index.strtree.STRtree;

/**
 * Which geometries come within some metres of a given one? Metres are geodesic on WGS 84, edges are straight in lon/lat
 * (RFC 7946 §3.1.1). The outcome is right if the true distance differs from the metres asked for by more than
 * 1 mm + 10⁻⁶ of it. This one test decides wherever the world is kept; indexes only propose.
 *
 * <p>The geometries must not have a point in common: whoever asks has looked for that first. Not thread-safe.
 */
final class GeodesicProximity {

    private static final int FEW = 16;

    private final Envelope box;
    private final Edges edges;
    private @Nullable STRtree index;

    GeodesicProximity(Geometry geometry) {
        this.box = geometry.getEnvelopeInternal();
        this.edges = Edges.of(geometry);
    }

    boolean isWithin(Geometry other, double metres) {
        Edges others = Edges.of(other, NearBoxes.around(box, metres));
        for (int i = 0; i < others.size(); i++) {
            for (Envelope near : NearBoxes.around(others.box(i), metres)) {
                if (isWithin(others, i, near, metres)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isWithin(Edges others, int other, Envelope near, double metres) {
        if (edges.size() > FEW) {
            for (Object proposed : index().query(near)) {
                if (isWithin(others, other, (Integer) proposed, metres)) {
                    return true;
                }
            }
            return false;
        }
        for (int mine = 0; mine < edges.size(); mine++) {
            if (near.intersects(edges.box(mine)) && isWithin(others, other, mine, metres)) {
                return true;
            }
        }
        return false;
    }

    /** Each end to the edge that it is not an end of; an end that two edges share is looked at once. */
    private boolean isWithin(Edges others, int other, int mine, double metres) {
        return beginsWithin(others, other, edges, mine, metres)
                || beginsWithin(edges, mine, others, other, metres)
                || (others.isLineEnd(other) && endsWithin(others, other, edges, mine, metres))
                || (edges.isLineEnd(mine) && endsWithin(edges, mine, others, other, metres));
    }

    private static boolean beginsWithin(Edges of, int end, Edges to, int edge, double metres) {
        return new GeodesicPoint(of.lon1(end), of.lat1(end))
                .isWithin(to.lon1(edge), to.lat1(edge), to.lon2(edge), to.lat2(edge), metres);
    }

    private static boolean endsWithin(Edges of, int end, Edges to, int edge, double metres) {
        return new GeodesicPoint(of.lon2(end), of.lat2(end))
                .isWithin(to.lon1(edge), to.lat1(edge), to.lon2(edge), to.lat2(edge), metres);
    }

    private STRtree index() {
        if (index == null) {
            STRtree tree = new STRtree();
            for (int i = 0; i < edges.size(); i++) {
                tree.insert(edges.box(i), i);
            }
            tree.build();
            index = tree;
        }
        return index;
    }
}
