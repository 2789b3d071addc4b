package io.hereabouts.resolver.postgis;

import org.locationtech.jts.geom.Envelope;
import org.postgresql.geometric.PGbox;
import org.postgresql.geometric.PGpoint;

/** Bounding boxes as the database has them. No state. */
final class Boxes {

    private Boxes() {}

    /** The same box, to the last bit. */
    static Envelope envelope(PGbox box) {
        PGpoint[] corners = box.point;
        if (corners == null) {
            throw new IllegalStateException("the driver made a box without corners");
        }
        return new Envelope(corners[0].x, corners[1].x, corners[0].y, corners[1].y);
    }
}
