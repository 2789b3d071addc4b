package io.hereabouts.resolver.postgis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;

/** What the database knows of a stage. Filled by {@link StageQuery}; for one thread. */
final class StageRows {

    long worldVersion;
    final List<Reference> references = new ArrayList<>();
    final List<Pair> pairs = new ArrayList<>();
    /** Ids of the whole category, if what is near no reference may be in. */
    final List<String> category = new ArrayList<>();

    /**
     * A reference of the stage.
     *
     * @param ordinal positive for an entity of the world, -n for the descriptor's n-th geometry of its own
     * @param id of the entity, else null
     * @param geometry if it came along
     */
    record Reference(int ordinal, @Nullable String id, Envelope box, @Nullable Geometry geometry) {}

    /**
     * A candidate and a reference for which the condition may have another value than for those that are apart.
     *
     * @param reference its ordinal
     * @param holds the condition's value, or null if the database leaves it open
     * @param geometry the candidate's, if it is open and came along
     */
    record Pair(int reference, String id, @Nullable Boolean holds, @Nullable Geometry geometry) {}
}
